import type { JsonObject, LanguageModel, LmRole } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { deepFreeze, systemClock } from "../../internal/index.ts";
import type { LedgerEntry, LedgerSnapshot } from "../../ledger/index.ts";
import { ledger } from "../../ledger/index.ts";
import type { Usage, UsageByRole } from "../budget/index.ts";
import { noUsage } from "../budget/index.ts";
import { paretoFront } from "../candidate/candidate-measures.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import { guardedListener, progressReport } from "./listener.ts";
import type { OptimizationResult } from "./optimization-result.ts";
import { optimizerSession } from "./optimizer-session.ts";
import type { DescribedRun, RunnerOptions } from "./run-description.ts";
import { prospects } from "./prospects.ts";
import { replay } from "./replay.ts";
import type { RunBudget } from "./run-budget.ts";
import { runBudget } from "./run-budget.ts";
import type { Evaluator } from "../evaluation/index.ts";
import { repeatedEvaluator } from "../evaluation/index.ts";
import type { WorkLog } from "../run-folder/index.ts";
import { openJournal } from "../run-folder/index.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** The parts of one run, for any kind of search. */
interface RunParts {
  readonly space: SearchSpace;
  readonly plan: OptimizerPlan;
  readonly settings: DescribedRun;
  /** Everything the trajectory depends on, the settings among it. */
  readonly run: JsonObject;
  /** The roles of the calls that the run can make. */
  readonly roles: readonly LmRole[];
  /** Absent when nothing in the run uses a reflection LM. */
  readonly reflectionLm?: LanguageModel;
  readonly evaluatorOf: (budget: RunBudget) => Evaluator;
}

/** Gives an optimizer its journal, budgets and evaluator, and runs it to the end. */
export async function runOptimizer(
  { space, plan, settings, run, roles, reflectionLm, evaluatorOf }: RunParts,
  options: RunnerOptions,
): Promise<Omit<OptimizationResult, "program">> {
  const { optimizer, signal, clock = systemClock, runFolder } = options;
  const { resume = false, reopen = false } = options;
  const { budget: caps, prices, repetitions } = settings;
  const listener = options.onEvent && guardedListener(options.onEvent);

  using journal = openJournal(runFolder, { resume, reopen, components: space.components }, run);
  const past = replay(journal, runFolder);
  const { log } = past;
  const budget = runBudget({
    budget: caps,
    prices,
    roles,
    repetitions,
    afforded: plan.afforded?.metricCalls,
    replay: past,
    clock,
  });
  const watch = prospects({ space, optimizer, isRepeated: () => past.isReplaying });
  const session = optimizerSession({
    evaluator: repeatedEvaluator(evaluatorOf(budget), repetitions),
    ...(reflectionLm && { reflectionLm: budget.journalled(reflectionLm) }),
    budget,
    replay: past,
    prospects: watch,
    progress: progressReport({
      cap: caps.metricCalls ?? null,
      clock,
      costs: () => ({ tokens: budget.spent.tokens, costUsd: budget.observed.costUsd }),
      onEvent: listener?.notify,
    }),
    settings,
    hasTeacher: roles.includes("teacher"),
    signal,
  });

  const settled = async (): Promise<void> => {
    past.noteElapsed(budget.observed.elapsedMs);
    past.save();
    await past.saved();
  };
  try {
    session.emit({ kind: "run-start", format: "espalier-journal/5", run });
    const outcome = await optimizer.doOptimize(space, session);
    const { reason, best, candidates } = outcome;
    const detail = outcome.detail ?? (reason === "budget" ? budget.exhausted : undefined);
    const { used, cutShort, spent } = budget;
    watch.ending(outcome);
    session.emit({
      kind: "run-end",
      reason,
      ...(detail === undefined ? {} : { detail }),
      best: best.id,
      value: best.selection.value,
      used: deepFreeze(used),
    });
    const { elapsedMs, costUsd } = budget.observed;
    await settled();
    const listenerFailures = listener?.failures();
    return deepFreeze({
      ...outcome,
      ...(detail !== undefined && { detail }),
      components: best.components,
      front: paretoFront(candidates),
      plan,
      spent,
      costUsd,
      ledger: ledgerOf(used, log),
      cutShort,
      ...(listenerFailures && { listenerFailures }),
      run,
      seconds: elapsedMs / 1000,
    });
  } catch (error) {
    const unsettled = await settled().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const unwritten = unwrittenRun([error, unsettled], log);
    if (unwritten !== undefined) throw unwritten;
    if (watch.hopeless !== undefined) throw watch.hopeless;
    throw signal?.aborted === true ? aborted(error, runFolder) : error;
  }
}

function aborted(cause: unknown, runFolder: string | undefined): EspalierError {
  return new EspalierError({
    code: "aborted",
    problem: "The run was aborted",
    ...(runFolder === undefined
      ? {}
      : { where: runFolder, fix: "Completed work is saved: continue with `resume`." }),
    cause,
  });
}

function ledgerOf(used: UsageByRole, log: WorkLog): LedgerSnapshot {
  const billed = log.billed();
  const entry = (role: LmRole): LedgerEntry => ({
    logical: countsOf(used[role] ?? noUsage),
    billed: billed[role] ?? countsOf(noUsage),
  });
  const roles = new Set([...Object.keys(used), ...Object.keys(billed)] as LmRole[]);
  const byRole = Object.fromEntries([...roles].map((role) => [role, entry(role)]));
  return ledger({ total: entry("student"), byRole }).snapshot();
}

function countsOf(usage: Usage): LedgerEntry["logical"] {
  return { ...usage, failedCalls: 0, cachedPromptTokens: null, reasoningTokens: null };
}

/**
 * Picks the error about an unwritable file from the errors that ended a run, and adds how much of
 * the run is saved.
 */
function unwrittenRun(errors: readonly unknown[], log: WorkLog): EspalierError | undefined {
  const cause = errors.flatMap((error) => fileFaultIn(error) ?? []).at(0);
  if (cause === undefined) return undefined;
  const { replies, unsaved } = log.counts;
  const { fix = "", ...report } = cause.report;
  const again =
    unsaved === 0 ? "no call was in flight" : `${unsaved} calls in flight will be repeated`;
  return new EspalierError({
    ...report,
    code: "write-failed",
    fix: `The run stopped: ${replies} replies are saved and will not be requested again; ${again}. ${fix}`,
    cause,
  });
}

/** An evaluation wraps the cause: it only reports that it was stopped, and by what. */
function fileFaultIn(error: unknown): EspalierError | undefined {
  if (!EspalierError.isInstance(error) || error.code !== "write-failed") return undefined;
  return fileFaultIn(error.cause) ?? error;
}
