import type { LanguageModel } from "../../contract/index.ts";
import { lineAppender } from "../../storage/index.ts";
import { callKeys } from "./call-key.ts";
import type { RecordedCall } from "./recording.ts";

/**
 * Appends each call and its reply to a JSONL file, for `replayed`. A reply is returned once its
 * line is written. Unlike a cache, a recording never answers a call.
 *
 * After a line could not be written, no further call is sent: each rejects with `write-failed`.
 */
export function recorded(lm: LanguageModel, path: string): LanguageModel {
  const keyOf = callKeys(lm.identity);
  const lines = lineAppender(path, {
    kept: "The calls recorded before this one are kept.",
    next: "record it again",
  });

  return {
    identity: lm.identity,
    doGenerate: async (request, options) => {
      lines.throwIfFailed();
      const reply = await lm.doGenerate(request, options);
      const { identity } = lm;
      const repetition = options?.repetition ?? 0;
      const key = keyOf(request, repetition);
      const call: RecordedCall = { key, identity, request, repetition, reply };
      await lines.append(call);
      return reply;
    },
  };
}
