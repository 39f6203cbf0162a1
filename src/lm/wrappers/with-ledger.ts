import type { LanguageModel, LmCallOptions } from "../../contract/index.ts";
import type { Ledger } from "../../ledger/index.ts";

/** Records the cost of each call in a ledger, under the call's role. */
export function withLedger(lm: LanguageModel, ledger: Ledger): LanguageModel {
  return {
    identity: lm.identity,
    doGenerate: async (request, options) => {
      const role = options?.role ?? "student";
      const onRetry: LmCallOptions["onRetry"] = (fault) => {
        ledger.addRetry(role);
        return options?.onRetry?.(fault);
      };
      try {
        const reply = await lm.doGenerate(request, { ...options, onRetry });
        ledger.add(role, reply.usage, reply.source);
        return reply;
      } catch (error) {
        ledger.addFailure(role);
        throw error;
      }
    },
  };
}
