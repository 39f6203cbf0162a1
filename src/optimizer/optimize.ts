import { existsSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject, LanguageModel, LmRole } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { Clock } from "../internal/index.ts";
import { systemClock } from "../internal/index.ts";
import type { LedgerEntry, LedgerSnapshot } from "../lm/index.ts";
import { ledger } from "../lm/index.ts";
import type { Budget, PriceTable, Usage } from "./budget/index.ts";
import { callGate, cashGate, costOf, deadline, noUsage } from "./budget/index.ts";
import type { JsonlFile, WorkLog } from "./journal/index.ts";
import {
  journal,
  journalled,
  memoryLines,
  openJsonlFile,
  runLock,
  workLog,
} from "./journal/index.ts";
import type { OptimizationResult } from "./optimization-result.ts";
import type { OptimizerEvent, OptimizerProgress } from "./optimizer-event.ts";
import { optimizerSession } from "./optimizer-session.ts";
import type { Optimizer, OptimizerTask } from "./optimizer.ts";
import { planOptimization } from "./plan-optimization.ts";
import { checkSameRun, describeRun } from "./run-description.ts";

export interface OptimizeOptions {
  readonly optimizer: Optimizer;
  readonly lm: LanguageModel;
  /** LMs for single predictors, by predictor name. */
  readonly lms?: Readonly<Record<string, LanguageModel>>;
  /** @default the optimizer's own, or `lm` */
  readonly reflectionLm?: LanguageModel;
  /** @default the optimizer's own */
  readonly budget?: Budget;
  /** Needed for a budget in money. */
  readonly prices?: PriceTable;
  /** @default the optimizer's own */
  readonly seed?: number;
  /** Rollouts in flight; bounds I/O only and changes no result. @default 16 */
  readonly concurrency?: number;
  /** Whole re-runs of an example after a fault, before anything is decided. @default 3 */
  readonly faultRetries?: number;
  /** Least share of judged rollouts that must be scored for a candidate to be accepted. @default 0.95 */
  readonly coverageFloor?: number;
  /** Holds the journal. Absent: the run is kept in memory and cannot be resumed. */
  readonly runFolder?: string;
  /** Goes on with the run in `runFolder`, which must be the same run. @default false */
  readonly resume?: boolean;
  readonly signal?: AbortSignal;
  /** Hears what is decided, in the documented order, and of progress. What it throws ends the run. */
  readonly onEvent?: (event: OptimizerEvent | OptimizerProgress) => void;
  readonly clock?: Clock;
}

/**
 * Searches for better components of a program. The same seed gives the same result at any concurrency,
 * and after any number of kills and resumptions; only caps on money and wall time depend on more.
 *
 * Rejects, before anything is spent, with `option-invalid`, `dataset-invalid`, `input-invalid`, and
 * with `budget-exhausted` when the budget is smaller than one evaluation. Rejects with
 * `journal-mismatch` when `runFolder` holds another run, with `run-locked` while another process works
 * on it, with `coverage-too-low` when faults keep the seed from being evaluated, with `aborted` when the
 * signal fires, and with what a program or metric fails with; the run can be resumed after each of these.
 *
 * @example
 * const { program, best } = await optimize(study, { optimizer: gepa(), budget: { metricCalls: 500 }, lm });
 */
export async function optimize<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  options: OptimizeOptions,
): Promise<OptimizationResult<TInput, TOutput>> {
  const { optimizer, prices, signal, clock = systemClock, runFolder } = options;
  const { lm, lms = {}, reflectionLm = optimizer.reflectionLm ?? lm } = options;
  const { seed = optimizer.seed, concurrency = 16, faultRetries = 3 } = options;
  const { coverageFloor = 0.95, onEvent = () => {} } = options;
  const budget = options.budget ?? optimizer.budget ?? {};
  const plan = planOptimization(task, { optimizer, budget, ...(prices && { prices }) });
  const described = { optimizer, seed, budget, prices, coverageFloor };
  const run = describeRun(task, {
    ...described,
    lm: lm.identity,
    lms: Object.fromEntries(Object.entries(lms).map(([name, { identity }]) => [name, identity])),
    reflectionLm: reflectionLm.identity,
  });

  if (options.resume === true) checkResumable(runFolder);
  // Before the files, since opening one cuts off what another process may be writing.
  using _lock = runFolder === undefined ? undefined : runLock(runFolder);
  using files = openFiles(runFolder, options.resume ?? false, run);
  const decisions = journal(files.journal, join(runFolder ?? "", "journal.jsonl"));
  const log = workLog(files.work);
  const gate = callGate(budget);
  const cash = cashGate(budget, prices, costOfRoles(log, prices));
  const time = deadline(budget.wallTimeMs, log.elapsedMs, clock);
  const wrapped = (inner: LanguageModel, role: LmRole): LanguageModel =>
    gate.wrap(journalled(cash.wrap(inner), log), role);
  const session = optimizerSession({
    task,
    seed,
    budget,
    journal: decisions,
    log,
    gate,
    cash,
    deadline: time,
    lm: wrapped(lm, "student"),
    lms: Object.fromEntries(
      Object.entries(lms).map(([name, inner]) => [name, wrapped(inner, "student")]),
    ),
    reflectionLm: wrapped(reflectionLm, "reflection"),
    concurrency,
    faultRetries,
    coverageFloor,
    signal,
    clock,
    onEvent,
  });

  try {
    session.emit({ kind: "run-start", format: "espalier-journal/1", run });
    await session.checkpoint();
    const outcome = await optimizer.doOptimize(task, session);
    const { reason, best } = outcome;
    session.emit({ kind: "run-end", reason, best: best.id, value: best.selection.value });
    return Object.freeze({
      ...outcome,
      program: task.program.with(best.components),
      components: best.components,
      plan,
      spent: session.spent,
      costUsd: prices === undefined ? null : cash.spentUsd,
      ledger: ledgerOf(session.used, log),
      run,
      seconds: time.spentMs() / 1000,
    });
  } catch (error) {
    throw signal?.aborted === true ? aborted(error, runFolder) : error;
  } finally {
    log.addElapsed(time.spentMs());
    await log.sync();
    await decisions.sync();
  }
}

function aborted(cause: unknown, runFolder: string | undefined): EspalierError {
  return new EspalierError({
    code: "aborted",
    problem: "The run was aborted",
    ...(runFolder === undefined
      ? {}
      : { where: runFolder, fix: "What was done is kept: go on with `resume`." }),
    cause,
  });
}

function checkResumable(folder: string | undefined): void {
  if (folder === undefined || existsSync(join(folder, "journal.jsonl"))) return;
  throw new EspalierError({
    code: "file-missing",
    problem: "There is no run to resume",
    where: folder,
    expected: "a folder with `journal.jsonl` and `work.jsonl`",
    fix: "Begin the run without `resume`.",
  });
}

interface RunFiles extends Disposable {
  readonly journal: JsonlFile;
  readonly work: JsonlFile;
}

function openFiles(folder: string | undefined, resume: boolean, run: JsonObject): RunFiles {
  if (folder === undefined) {
    return { journal: memoryLines(), work: memoryLines(), [Symbol.dispose]: () => {} };
  }
  const journalFile = openJsonlFile(join(folder, "journal.jsonl"));
  const [head] = journalFile.existing as readonly OptimizerEvent[];
  try {
    if (head !== undefined && !resume) {
      throw new EspalierError({
        code: "journal-mismatch",
        problem: "The folder holds a run already",
        where: folder,
        expected: "an empty folder, or `resume`",
        fix: "Resume that run, or name another folder.",
      });
    }
    if (head !== undefined) checkSameRun(head.kind === "run-start" ? head.run : {}, run, folder);
    const workFile = openJsonlFile(join(folder, "work.jsonl"));
    return {
      journal: journalFile,
      work: workFile,
      [Symbol.dispose]: () => {
        journalFile.close();
        workFile.close();
      },
    };
  } catch (error) {
    journalFile.close();
    throw error;
  }
}

function costOfRoles(log: WorkLog, prices: PriceTable | undefined): number {
  return Object.entries(log.billed()).reduce((sum, [role, { promptTokens, completionTokens }]) => {
    return sum + costOf(promptTokens, completionTokens, prices?.[role as LmRole]);
  }, 0);
}

function ledgerOf(
  used: { readonly student: Usage; readonly reflection: Usage },
  log: WorkLog,
): LedgerSnapshot {
  const billed = log.billed();
  const entry = (role: "student" | "reflection"): LedgerEntry => ({
    logical: countsOf(used[role]),
    billed: billed[role] ?? countsOf(noUsage),
  });
  const byRole = { student: entry("student"), reflection: entry("reflection") };
  return ledger({ total: byRole.student, byRole }).snapshot();
}

function countsOf(usage: Usage): LedgerEntry["logical"] {
  return { ...usage, failedCalls: 0, cachedPromptTokens: null, reasoningTokens: null };
}
