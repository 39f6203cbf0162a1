import { LmError, messageOf } from "../../errors/index.ts";
import { excerpt } from "../../internal/index.ts";
import type { ReplyOrigin } from "./reply-origin.ts";

/** The fault of a body that should be JSON; the reason never quotes the body. */
export function notJson(
  text: string,
  path: string,
  { masked }: ReplyOrigin,
  reason: unknown,
): LmError {
  const shown = masked(text);
  return new LmError({
    code: "lm-bad-envelope",
    problem: "The server's reply is not valid JSON",
    got: `${quoted(shown)} (${messageOf(reason)})`,
    where: masked(path),
    body: shown.slice(0, 2_000),
  });
}

/** The fault of a reply that should be streamed: some servers and proxies ignore `stream`. */
export function notStreamed(
  headers: Headers,
  text: string,
  { where, masked }: ReplyOrigin,
): LmError {
  const shown = masked(text);
  return new LmError({
    code: "lm-bad-envelope",
    problem: "The server did not send the requested stream",
    expected: "`Content-Type: text/event-stream`",
    got: `${headers.get("content-type") ?? "no type"}, ${quoted(shown)}`,
    where,
    body: shown.slice(0, 2_000),
  });
}

function quoted(body: string): string {
  return body === "" ? "an empty body" : `\`${excerpt(body, 120)}\``;
}
