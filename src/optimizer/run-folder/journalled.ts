import type { LanguageModel, LmRequest, LmRole } from "../../contract/index.ts";
import { failureOf } from "../../errors/index.ts";
import { cached, callKeys } from "../../lm/files.ts";
import type { WorkLog } from "./work-log.ts";

export interface JournalledOptions {
  /** Maximum cost of a call, charged if its end is never recorded. */
  readonly worstUsd?: (request: LmRequest, role: LmRole) => number;
  /** If it throws, the call is neither recorded nor sent. */
  readonly beforeSending?: () => void;
}

/**
 * Records each call before it is sent and each reply before it is used, and answers recorded calls
 * from the log. A rollout repeated after a kill requests only replies that no process of the run
 * received.
 */
export function journalled(
  lm: LanguageModel,
  log: WorkLog,
  { worstUsd, beforeSending }: JournalledOptions = {},
): LanguageModel {
  const keyOf = callKeys(lm.identity);
  const noted: LanguageModel = {
    identity: lm.identity,
    doGenerate: async (request, options = {}) => {
      const key = keyOf(request, options.repetition ?? 0);
      const role = options.role ?? "student";
      beforeSending?.();
      const onRetry = (): void => {
        log.retried(key);
        options.onRetry?.();
      };
      try {
        log.sent(key, role, worstUsd?.(request, role));
        return await lm.doGenerate(request, { ...options, onRetry });
      } catch (error) {
        log.failed(key, failureOf(error, options.signal?.aborted === true ? "aborted" : undefined));
        throw error;
      }
    },
  };
  return cached(noted, log.replies);
}
