import type { LanguageModel, LmRole } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { evaluate } from "../../evaluate/index.ts";
import { ledger } from "../../ledger/index.ts";
import { withLedger } from "../../lm/index.ts";
import { assumedCompletion } from "../../optimizer/index.ts";
import { rehearsalPackage } from "../lm/rehearsal-package.ts";
import type { PreparedRow } from "./row/prepared-row.ts";

/** What the rehearsal LM was asked over a few runs of a row, to rank and to judge included. */
export interface RehearsedRuns {
  readonly runs: number;
  readonly byRole: { readonly [Role in LmRole]?: Usage };
}

interface Usage {
  readonly calls: number;
  readonly promptTokens: number;
  /**
   * `assumedCompletion`, or as many as the request allows if that is less: what the rehearsal LM
   * writes says nothing of the length of a model's reply.
   */
  readonly completionTokens: number;
}

/** Examples of a row that are run. */
const most = 8;

/**
 * Runs a row on a few of its examples, spread evenly over the split, with the rehearsal LM in every
 * role. `undefined` where that is not installed, or where the row cannot run with it.
 */
export async function rehearsedRuns(
  { study, examples }: PreparedRow,
  { seed, signal }: { readonly seed: number; readonly signal: AbortSignal },
): Promise<RehearsedRuns | undefined> {
  const count = Math.min(most, examples.length);
  const sample = Array.from({ length: count }, (_, index) =>
    examples.slice(Math.floor((index * examples.length) / count)).slice(0, 1),
  ).flat();
  const costs = ledger();
  const completions = new Map<LmRole, number>();
  try {
    const rehearsal: LanguageModel = (await rehearsalPackage()).rehearsalLm();
    const lm: LanguageModel = {
      ...rehearsal,
      doGenerate: (request, options = {}) => {
        const { role = "student" } = options;
        const tokens = Math.min(assumedCompletion.student, request.sampling.maxCompletionTokens);
        completions.set(role, (completions.get(role) ?? 0) + tokens);
        return rehearsal.doGenerate(request, options);
      },
    };
    await evaluate({
      program: study.program,
      examples: sample,
      metric: study.objective,
      lm: withLedger(lm, costs),
      faultRetries: 0,
      resamples: 0,
      seed,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (EspalierError.isInstance(error)) return undefined;
    throw error;
  }
  const byRole = Object.entries(costs.snapshot().byRole).map(([role, { logical }]) => {
    const { calls, promptTokens } = logical;
    const completionTokens = completions.get(role as LmRole) ?? 0;
    return [role, { calls, promptTokens, completionTokens }] as const;
  });
  return { runs: count, byRole: Object.fromEntries(byRole) };
}
