import { z } from "zod";
import { EspalierError } from "../errors/index.ts";
import type { LmIdentity, LmReply, LmRequest } from "../contract/index.ts";
import { parseJson } from "../internal/index.ts";

/** One line of a recording: a call and the reply it got. */
export interface RecordedCall {
  readonly key: string;
  readonly identity: LmIdentity;
  readonly request: LmRequest;
  readonly repetition: number;
  readonly reply: LmReply;
}

// Only what replaying relies on is checked: the file is our own.
const line = z.looseObject({
  key: z.hash("sha256"),
  identity: z.object({ provider: z.string(), model: z.string() }),
  request: z.looseObject({
    messages: z.array(z.object({ role: z.string(), content: z.string() })),
  }),
  repetition: z.int(),
  reply: z.looseObject({ content: z.string().nullable(), usage: z.looseObject({}) }),
});

/**
 * Reads a recording. A last line without its end was being written when the process died: it is
 * left out. Any other damage is an error.
 *
 * @throws EspalierError `file-malformed`, with the line's number
 */
export function parseRecording(text: string, path: string): readonly RecordedCall[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((content, index) => parseLine(content, `${path}:${index + 1}`));
}

function parseLine(content: string, where: string): RecordedCall {
  try {
    return line.parse(parseJson(content)) as unknown as RecordedCall;
  } catch (cause) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "A line of the recording is damaged",
      expected: "a JSON object with `key`, `identity`, `request`, `repetition` and `reply`",
      got: `\`${content.slice(0, 120)}\``,
      where,
      fix: "Remove the line, or record again.",
      cause,
    });
  }
}
