import { EspalierError, messageOf } from "../../errors/index.ts";
import type { LmIdentity, LmReply, LmRequest } from "../../contract/index.ts";
import {
  at,
  count,
  either,
  jsonOrUndefined,
  listOf,
  objectOf,
  oneOf,
  plainObject,
  text,
} from "../../internal/index.ts";
import { endedLines } from "../../storage/index.ts";
import { identityShape, replyShape } from "./reply-shape.ts";

/** One line of a recording: a call and its reply. */
export interface RecordedCall {
  readonly key: string;
  readonly identity: LmIdentity;
  readonly request: LmRequest;
  readonly repetition: number;
  readonly reply: LmReply;
}

const line = objectOf({
  key: text,
  identity: identityShape,
  request: objectOf({
    messages: listOf(
      objectOf({
        role: oneOf("system", "user", "assistant", "tool"),
        content: either(listOf(plainObject), text),
      }),
    ),
  }),
  repetition: count,
  reply: replyShape,
});

/**
 * Reads a recording. An unterminated last line was being written when the process died and is left
 * out. Any other damage is an error.
 *
 * @throws EspalierError `file-missing`; `file-malformed`, with the line's number
 */
export function readRecording(path: string): readonly RecordedCall[] {
  const calls: RecordedCall[] = [];
  try {
    for (const content of endedLines(path)) {
      calls.push(parseLine(content, `${path}:${calls.length + 1}`));
    }
    return calls;
  } catch (cause) {
    if (EspalierError.isInstance(cause)) throw cause;
    throw new EspalierError({
      code: "file-missing",
      problem: "The recording cannot be read",
      got: messageOf(cause),
      where: path,
      cause,
    });
  }
}

function parseLine(content: Buffer, where: string): RecordedCall {
  const call = jsonOrUndefined(content.toString("utf8"));
  const problem = line(call);
  if (problem === null) return call as RecordedCall;
  throw new EspalierError({
    code: "file-malformed",
    problem: "A line of the recording is damaged",
    expected: "a JSON object with `key`, `identity`, `request`, `repetition` and `reply`",
    got: `\`${content.subarray(0, 120).toString("utf8")}\`, where ${at("line", problem)}`,
    where,
    fix: "Remove the line, or record again.",
  });
}
