import type { LanguageModel, LmCallRecord, LmReply, RunOptions } from "../contract/index.ts";
import type { Clock } from "../internal/index.ts";
import { callFailure } from "./call-failure.ts";
import { callSeed } from "./call-seed.ts";
import type { DriverSession } from "./driver.ts";

export interface LmSession extends DriverSession {
  /** Every request so far, in order. */
  readonly records: readonly LmCallRecord[];
}

/** An LM for one call of a predictor: seeds, addresses and records each request. */
export function lmSession(
  lm: LanguageModel,
  path: string,
  options: RunOptions,
  clock: Clock,
): LmSession {
  const { seed = 0, exampleId = "", repetition = 0, role = "student", signal, onDelta } = options;
  const records: LmCallRecord[] = [];
  return {
    records,
    lm: {
      identity: lm.identity,
      doGenerate: async (request) => {
        const attempt = records.length;
        const ownPath = attempt === 0 ? path : `${path}#${attempt}`;
        const seeded = { ...request, seed: callSeed(seed, exampleId, ownPath, repetition) };
        const startedAt = clock.now();
        const record = (reply: LmReply | null, failure?: LmCallRecord["failure"]): void => {
          records.push({
            messages: seeded.messages,
            seed: seeded.seed,
            rawText: reply?.content ?? null,
            reasoning: reply?.reasoning ?? null,
            finishReason: reply?.finishReason ?? null,
            usage: reply?.usage ?? null,
            latencyMs: clock.now() - startedAt,
            source: reply?.source ?? null,
            ...(failure === undefined ? {} : { failure }),
          });
        };
        try {
          signal?.throwIfAborted();
          const reply = await lm.doGenerate(seeded, {
            role,
            repetition,
            callPath: ownPath,
            exampleId,
            ...(signal === undefined ? {} : { signal }),
            ...(onDelta === undefined ? {} : { onDelta: (delta) => onDelta(path, delta) }),
          });
          record(reply);
          return reply;
        } catch (error) {
          record(null, callFailure(error, signal));
          throw error;
        }
      },
    },
  };
}
