import type { LanguageModel, LmCallOptions, LmReply } from "../../contract/index.ts";
import type { RetryOptions } from "./retry.ts";
import { retry } from "./retry.ts";

/**
 * Asks again after a fault that may pass, with exponential pauses and full jitter: uniform between
 * 0 and the upper end, plus what the server asked for; where that is beyond the limit, or beyond the time
 * that the caller has left, the call is failed at once. A stream of which a piece was
 * handed on is asked for again only where `onRestart` can take that back.
 */
export function retried(lm: LanguageModel, options: RetryOptions = {}): LanguageModel {
  const retrying = retry(options);
  return {
    identity: lm.identity,
    doGenerate: async (request, options: LmCallOptions = {}) => {
      const { signal, onDelta, onRestart, onRetry, timeLeftMs } = options;
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
      const ask = (): Promise<LmReply> => {
        if (isShown) onRestart?.();
        isShown = false;
        return lm.doGenerate(request, attemptOptions);
      };
      return retrying(ask, {
        signal,
        isShown: () => isShown && onRestart === undefined,
        onRetry,
        timeLeftMs,
      });
    },
  };
}
