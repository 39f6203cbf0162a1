import type { LanguageModel, LmReply } from "../../contract/index.ts";
import type { RetryOptions } from "./retry.ts";
import { retry } from "./retry.ts";
import { trackShown } from "./track-shown.ts";

/**
 * Asks again after a fault that may pass, with exponential pauses and full jitter: uniform between
 * 0 and the upper end, plus what the server asked for; where that is beyond the limit, or beyond
 * the time that the caller has left, the call fails at once. A stream that the caller has seen a
 * piece of is asked for again only where `onRestart` can take that back.
 *
 * @throws EspalierError `option-invalid`
 */
export function retried(lm: LanguageModel, options: RetryOptions = {}): LanguageModel {
  const retrying = retry(options);
  return {
    identity: lm.identity,
    doGenerate: async (request, options = {}) => {
      const { signal, onRetry, timeLeftMs } = options;
      const shown = trackShown(options);
      const ask = (): Promise<LmReply> => {
        shown.restart();
        return lm.doGenerate(request, shown.options);
      };
      return retrying(ask, { signal, isShown: () => shown.isFinal(), onRetry, timeLeftMs });
    },
  };
}
