import type { BodyLimits } from "../../internal/index.ts";
import { boundedText } from "../../internal/index.ts";
import type { Fetch } from "./http-fetch.ts";

/** A `fetch` from outside, whose responses give no longer texts than our own does. */
export function boundedFetch(fetch: Fetch, { maxReplyBytes, maxErrorBytes }: BodyLimits): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { body, ok } = response;
    if (body === null) return response;
    const text = (): Promise<string> =>
      ok
        ? boundedText(body, { maxBytes: maxReplyBytes })
        : boundedText(body, { maxBytes: maxErrorBytes, atLimit: "cut" });
    return Object.defineProperty(response, "text", { value: text });
  };
}
