import type { LanguageModel, LmRole } from "../../contract/index.ts";
import type { LedgerEntry } from "../../ledger/index.ts";
import { admission } from "./admission.ts";
import type { Budget } from "./budget.ts";
import { eachRequest } from "./each-request.ts";
import { neverSent } from "./may-be-billed.ts";

/**
 * Keeps what reaches LM servers and tools under the caps on their calls. It wraps the LM or the
 * tool directly: recorded replies do not count, and each request of a call that is sent again
 * counts, after a fault or after a kill.
 */
export interface RequestGate {
  wrap(lm: LanguageModel): LanguageModel;
}

/** @param made what earlier processes may have sent, calls of unknown end among them */
export function requestGate(
  { lmCalls, toolCalls }: Budget,
  made: { readonly [Role in LmRole]?: LedgerEntry["billed"] } = {},
): RequestGate {
  const { tool, ...ofLms } = made;
  const tools = admission("toolCalls", toolCalls, tool?.calls);
  const requests = Object.values(ofLms).reduce(
    (sum, { calls, retries = 0 }) => sum + calls + retries,
    0,
  );
  const lms = admission("lmCalls", lmCalls, requests);
  return {
    wrap: (lm) => ({
      identity: lm.identity,
      doGenerate: (request, options) =>
        eachRequest(options?.role === "tool" ? tools : lms, lm, {
          request,
          options,
          worst: 1,
          actualOf: ({ source }) => (source === "server" ? 1 : 0),
          lostTo: (fault) => (neverSent(fault) ? 0 : 1),
        }),
    }),
  };
}
