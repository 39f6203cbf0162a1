import { EspalierError } from "../../errors/index.ts";
import type { LanguageModel, LmIdentity } from "../../contract/index.ts";
import { callKeys } from "./call-key.ts";
import { deliverWholeReply } from "./deliver-whole-reply.ts";
import { nearestRecording } from "./nearest-recording.ts";
import type { RecordedCall } from "./recording.ts";
import { readRecording } from "./recording.ts";

export interface ReplayOptions {
  /** Which model to stand in for if the file holds several. @default that of the first line */
  readonly identity?: LmIdentity;
}

/**
 * A language model that answers only from a recording. The first reply recorded for a call counts.
 *
 * @throws EspalierError `file-missing` or `file-malformed`; a call that was not recorded rejects
 * with `recording-missing`, which names the nearest recorded one
 */
export async function replayed(path: string, options: ReplayOptions = {}): Promise<LanguageModel> {
  const calls = readRecording(path);
  const identity = options.identity ?? calls[0]?.identity ?? { provider: "recording", model: "" };
  const keyOf = callKeys(identity);
  const byKey = new Map<string, RecordedCall>();
  for (const call of calls) if (!byKey.has(call.key)) byKey.set(call.key, call);

  return {
    identity,
    doGenerate: async (request, callOptions = {}) => {
      callOptions.signal?.throwIfAborted();
      const repetition = callOptions.repetition ?? 0;
      const call = byKey.get(keyOf(request, repetition));
      if (call !== undefined)
        return deliverWholeReply({ ...call.reply, source: "recording" }, callOptions);
      throw new EspalierError({
        code: "recording-missing",
        problem: "The recording holds no reply for this request",
        got: nearestRecording(calls, { identity, request, repetition }),
        where: [path, callOptions.callPath, callOptions.exampleId].filter(Boolean).join(", "),
        fix: "Record again with `recorded`, or undo what changed the request.",
      });
    },
  };
}
