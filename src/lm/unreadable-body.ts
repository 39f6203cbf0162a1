import { LmError } from "../errors/index.ts";
import type { ReplyOrigin } from "./reply-origin.ts";

/** The fault of a body that should be JSON. */
export function notJson(text: string, path: string, { masked }: ReplyOrigin): LmError {
  const shown = masked(text);
  return new LmError({
    code: "lm-bad-envelope",
    problem: "The server's reply is not JSON",
    got: excerpt(shown),
    where: masked(path),
    body: shown.slice(0, 2_000),
  });
}

/** The fault of a reply that should come in pieces: some servers and proxies pass over `stream`. */
export function notStreamed(
  headers: Headers,
  text: string,
  { where, masked }: ReplyOrigin,
): LmError {
  const shown = masked(text);
  return new LmError({
    code: "lm-bad-envelope",
    problem: "The server was asked for a stream and sent something else",
    expected: "`Content-Type: text/event-stream`",
    got: `${headers.get("content-type") ?? "no type"}, ${excerpt(shown)}`,
    where,
    body: shown.slice(0, 2_000),
  });
}

function excerpt(text: string): string {
  return text === "" ? "an empty body" : `\`${text.slice(0, 120)}\``;
}
