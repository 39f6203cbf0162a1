import type { LanguageModel } from "../../contract/index.ts";
import { LmError } from "../../errors/index.ts";
import type { ServedModel } from "../model/served-model.ts";

/** LMs for one question, which know the time until its deadline. */
export interface TimedLms {
  readonly model: ServedModel;
  readonly lm: LanguageModel;
  readonly lms: Readonly<Record<string, LanguageModel>>;
  /**
   * The wait that an LM's last error asked for, in milliseconds; `undefined` if it asked for none.
   */
  retryAfterMs(): number | undefined;
}

/** @param timeLeftMs until the question's deadline */
export function timedLms(
  { model, lm, lms }: Pick<TimedLms, "model" | "lm" | "lms">,
  timeLeftMs: () => number,
): TimedLms {
  let retryAfterMs: number | undefined;
  const timed = (lm: LanguageModel): LanguageModel => ({
    identity: lm.identity,
    doGenerate: async (request, options) => {
      try {
        return await lm.doGenerate(request, { ...options, timeLeftMs });
      } catch (error) {
        if (LmError.isInstance(error)) ({ retryAfterMs } = error);
        throw error;
      }
    },
  });
  const allTimed = (lms: Readonly<Record<string, LanguageModel>>): typeof lms =>
    Object.fromEntries(Object.entries(lms).map(([name, lm]) => [name, timed(lm)]));
  return {
    model: model.lms === undefined ? model : { ...model, lms: allTimed(model.lms) },
    lm: timed(lm),
    lms: allTimed(lms),
    retryAfterMs: () => retryAfterMs,
  };
}
