import { httpSearch } from "espalier/retrieval";
import { expect, test } from "vitest";
import { trackingServer } from "@espalier/tracking";
import { vllmServer } from "../support/vllm-server.ts";

const headers = { "x-api-key": "\u201csk-1234\u201d" };
const clients: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  "a search engine": (url) =>
    httpSearch({ url, headers, baseDelayMs: 60_000 }).doRetrieve({ query: "q", k: 1 }, {}),
  "a tracking server": (url) =>
    trackingServer({ url, headers, baseDelayMs: 60_000 }).ask({ method: "GET", path: "/x" }),
};

test.each(Object.entries(clients))(
  "a key of %s that cannot be sent is told once",
  async (_, ask) => {
    await using server = await vllmServer();
    const fault = (await ask(server.baseUrl).catch((error: unknown) => error)) as Error;
    expect(fault).toMatchObject({ code: "option-invalid", kind: "program" });
    expect(fault.message).toContain(
      "The header `x-api-key` contains a character that HTTP does not allow",
    );
    expect(fault.message).not.toContain("sk-");
    expect(server.requests).toEqual([]);
  },
);
