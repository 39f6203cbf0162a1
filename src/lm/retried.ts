import type { LanguageModel, LmCallOptions } from "../contract/index.ts";
import type { RetryOptions } from "./retry.ts";
import { retry } from "./retry.ts";

/**
 * Asks again after a fault that may pass, with exponential pauses and full jitter: uniform between
 * 0 and the upper end, plus what the server asked for, up to a limit. A stream is not asked for again
 * once a piece was handed on, since that cannot be taken back.
 */
export function retried(lm: LanguageModel, options: RetryOptions = {}): LanguageModel {
  const retrying = retry(options);
  return {
    identity: lm.identity,
    doGenerate: async (request, options: LmCallOptions = {}) => {
      const { signal, onDelta } = options;
      let isShown = false;
      const attemptOptions: LmCallOptions =
        onDelta === undefined
          ? options
          : {
              ...options,
              onDelta: (delta) => {
                isShown = true;
                onDelta(delta);
              },
            };
      return retrying(() => lm.doGenerate(request, attemptOptions), {
        signal,
        isShown: () => isShown,
      });
    },
  };
}
