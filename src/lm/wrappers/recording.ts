import { z } from "zod";
import { EspalierError, messageOf } from "../../errors/index.ts";
import type { LmIdentity, LmReply, LmRequest } from "../../contract/index.ts";
import { parseJson } from "../../internal/index.ts";
import { endedLines } from "../../storage/index.ts";

/** One line of a recording: a call and its reply. */
export interface RecordedCall {
  readonly key: string;
  readonly identity: LmIdentity;
  readonly request: LmRequest;
  readonly repetition: number;
  readonly reply: LmReply;
}

// Checks only what replaying relies on: we wrote the file ourselves.
const line = z.looseObject({
  key: z.hash("sha256"),
  identity: z.object({ provider: z.string(), model: z.string() }),
  request: z.looseObject({
    messages: z.array(
      z.looseObject({
        role: z.string(),
        content: z.union([z.string(), z.array(z.looseObject({}))]),
      }),
    ),
  }),
  repetition: z.int(),
  reply: z.looseObject({ content: z.string().nullable(), usage: z.looseObject({}) }),
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
  try {
    return line.parse(parseJson(content.toString("utf8"))) as unknown as RecordedCall;
  } catch (cause) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "A line of the recording is damaged",
      expected: "a JSON object with `key`, `identity`, `request`, `repetition` and `reply`",
      got: `\`${content.subarray(0, 120).toString("utf8")}\``,
      where,
      fix: "Remove the line, or record again.",
      cause,
    });
  }
}
