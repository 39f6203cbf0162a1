import type { LanguageModel, LmReply } from "../../contract/index.ts";
import type { RetryOptions } from "./retry.ts";
import { retry } from "./retry.ts";
import { trackShown } from "./track-shown.ts";

/**
 * Retries after a transient fault, with exponential pauses and full jitter: uniform between 0 and
 * the upper end, plus the delay that the server asked for. If that delay exceeds the limit or the
 * time that the caller has left, the call fails at once. A stream that has shown the caller a piece
 * is retried only if `onRestart` can take that piece back.
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
