import { existsSync } from "node:fs";
import type { LanguageModel, LmRole, SplitName } from "../../contract/index.ts";
import { failureOf } from "../../errors/index.ts";
import type { Evaluation } from "../../evaluate/index.ts";
import { evaluate, EvaluationStopped } from "../../evaluate/index.ts";
import { canonicalJson, mapValues } from "../../internal/index.ts";
import type { LedgerSnapshot } from "../../ledger/index.ts";
import { ledger } from "../../ledger/index.ts";
import { withLedger } from "../../lm/index.ts";
import { runFolderFiles, holdsRun } from "../../optimizer/files.ts";
import type { Budget, OptimizationResult, PriceTable } from "../../optimizer/index.ts";
import { recordedReplies, restartRun, spentIn } from "../../optimizer/index.ts";
import { totalCosts } from "../../report/files.ts";
import { writeFileAtomic } from "../../storage/index.ts";
import { writeEvaluation } from "../eval/evaluation-file.ts";
import type { OpenedLms } from "../lm/open-lms.ts";
import { routedLm } from "../lm/open-lms.ts";
import { runSearch } from "../optimize/run-search.ts";
import { progressLine } from "../terminal/progress-line.ts";
import { stopReasons, valueText } from "../terminal/search-text.ts";
import type { LoadedRow } from "./load-rows.ts";
import { ownBudget } from "./load-rows.ts";
import { budgetText, charged, lessThan, overspent, tighter, usedUp } from "./row-budget.ts";
import type { Spent } from "./row-budget.ts";
import type { RowDone, RowRecord } from "./row-record.ts";
import { rowFiles, writeRow } from "./row-record.ts";

/** What a row runs with. */
export interface RowRun {
  readonly split: SplitName;
  readonly runFolder: string;
  readonly opened: OpenedLms;
  /** What the row is; its result is not on file yet. */
  readonly record: RowRecord;
  /** What is left of the experiment's budget after all other rows. */
  readonly left: Budget;
  /** What a search that begins now may spend of it. */
  readonly share: Budget;
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** A row's result, which is on file; or which cap kept it from one. */
export type RowEnd =
  | { readonly done: RowDone; readonly evaluation: Evaluation }
  | { readonly notRun: string };

/**
 * Optimizes the program, if the row asks for it, and scores it on the experiment's split. Every
 * reply is on file before it is used, and every cap holds.
 */
export async function runRow(row: LoadedRow, run: RowRun): Promise<RowEnd> {
  const { declared, study, optimizer, examples, drawn, prices, servers } = row;
  const { split, runFolder, opened } = run;
  const files = rowFiles(runFolder, declared.name);
  // Scoring takes no text of a reflection LM.
  const { reflectionCalls: _reflection, ...left } = run.left;
  const early = cannotScore(left, examples.length);
  if (early !== undefined) return { notRun: early };
  const search = await searchRow(row, run);
  if ("notRun" in search) return search;

  const leftNow = search.spent === undefined ? left : lessThan(left, charged(search.spent));
  const scoring = spentIn(runFolderFiles(files.folder).reportReplies, prices);
  const late = cannotScore(leftNow, examples.length) ?? overspent("its score", leftNow, scoring);
  if (late !== undefined) return { notRun: late };
  const scored = await scoreRow(row, { ...run, left: leftNow, program: search.program });
  if ("notRun" in scored) return scored;

  const mocks = opened.mocks.filter(
    ({ part }) => part !== "reflectionLm" || optimizer !== undefined,
  );
  const { name: trainset, version, checksum } = study.trainset;
  const { evaluation, costs, billed } = scored;
  await writeEvaluation(files.result, {
    study: study.name,
    trainset: { name: trainset, version, checksum },
    split,
    drawn,
    ...opened.report(),
    mocks,
    ledger: totalCosts(search, costs, billed, servers.costs.snapshot()),
    evaluation,
  });
  const done: RowDone = {
    spent: [...(search.spent === undefined ? [] : [search.spent]), scored.spent],
    ...(search.optimized !== undefined && { optimized: search.optimized }),
    mocks,
  };
  // Last, since it says that the result is on file.
  await writeRow(runFolder, declared.name, { ...search.record, done });
  return { done, evaluation };
}

/** Why not even one reply fits; `undefined` if one may. */
function cannotScore(left: Budget, examples: number): string | undefined {
  const { metricCalls = Infinity } = left;
  if (metricCalls < examples) {
    return `the budget has ${metricCalls} metric calls left, but the row needs ${examples}`;
  }
  const cap = usedUp(left);
  return cap === undefined ? undefined : `none of the budget's \`${cap}\` is left`;
}

/** The program to score, and what finding it took. */
interface RowSearch {
  readonly program: LoadedRow["study"]["program"];
  readonly record: RowRecord;
  readonly ledger: LedgerSnapshot;
  /** Absent for a row that is scored as it is. */
  readonly spent?: Spent;
  readonly optimized?: string;
}

/**
 * Runs the row's optimizer under its share of the budget, or reads back what it chose. Resumes a
 * search that has not ended; under another budget it begins anew, with the replies that it has.
 */
async function searchRow(
  { declared, study, optimizer, prices, ...row }: LoadedRow,
  { runFolder, opened, record, share, seed, signal }: RowRun,
): Promise<RowSearch | { readonly notRun: string }> {
  if (optimizer === undefined) {
    await writeRow(runFolder, declared.name, record);
    return { program: study.program, record, ledger: ledger().snapshot() };
  }
  const { folder, candidate } = rowFiles(runFolder, declared.name);
  const isBegun = holdsRun(folder);
  const hasEnded = existsSync(candidate);
  const budget = hasEnded
    ? record.budget
    : tighter(ownBudget({ declared, optimizer, ...row }), share);
  const cap = usedUp(budget);
  if (cap !== undefined) {
    return { notRun: `its share of the budget has no \`${cap}\`` };
  }
  const onFile = spentIn(runFolderFiles(folder).journal, prices);
  const over = hasEnded ? undefined : overspent("its optimization", budget, onFile);
  if (over !== undefined) return { notRun: over };
  const isOther = canonicalJson(budget) !== canonicalJson(record.budget);
  if (isBegun && isOther) restartRun(folder);
  const begun = { ...record, budget };
  await writeRow(runFolder, declared.name, begun);
  const { lm, lms, mocks, reflectionLm, judgeLm, concurrency } = opened;
  const asked = {
    optimizer,
    budget,
    ...(prices && { prices }),
    seed,
    lm,
    lms,
    mocks,
    ...(reflectionLm && { reflectionLm }),
    ...(judgeLm && { judgeLm }),
    concurrency,
    runFolder: folder,
    resume: isBegun,
    signal,
  };
  try {
    const result = await runSearch(study, asked);
    await writeFileAtomic(candidate, `${JSON.stringify(result.components)}\n`);
    return {
      program: result.program,
      record: begun,
      ledger: result.ledger,
      spent: searchSpent(result, spentIn(runFolderFiles(folder).journal, prices)),
      optimized: searchText(result),
    };
  } catch (error) {
    if (failureOf(error).kind !== "budget") throw error;
    const why = budgetText(error);
    return { notRun: `its optimization ended before it scored the program: ${why}` };
  }
}

/**
 * With a step that a cap cut short: its calls were made, but stand for nothing. A result that is
 * read back no longer knows of it; its file does.
 */
function searchSpent(
  { spent, ledger: costs, cutShort, costUsd, seconds }: OptimizationResult,
  onFile: Spent,
): Spent {
  const { logical, billed } = costs.total;
  const cut = Object.values(cutShort);
  const withCut = (known: number, of: "calls" | "promptTokens" | "completionTokens"): number =>
    cut.reduce((sum, each) => sum + each[of], known);
  return {
    metricCalls: spent.metricCalls,
    reflectionCalls: spent.reflectionCalls,
    lmCalls: Math.max(withCut(spent.lmCalls, "calls"), onFile.lmCalls),
    promptTokens: Math.max(withCut(logical.promptTokens, "promptTokens"), onFile.promptTokens),
    completionTokens: Math.max(
      withCut(logical.completionTokens, "completionTokens"),
      onFile.completionTokens,
    ),
    billedCalls: billed.calls,
    usd: costUsd,
    seconds,
  };
}

function searchText({ reason, detail, candidates, best, spent }: OptimizationResult): string {
  const why = `${stopReasons[reason]}${detail === undefined ? "" : ` (${detail})`}`;
  const [seed] = candidates;
  const values =
    seed === undefined
      ? ""
      : `, ${valueText(seed.selection, seed)} to ${valueText(best.selection, seed)} on val`;
  return `${why} after ${spent.metricCalls} metric calls; candidate ${best.id} of ${candidates.length - 1} accepted${values}`;
}

/** A row's figures and what they cost; or which cap stopped it. */
type RowScore =
  | {
      readonly evaluation: Evaluation;
      readonly costs: LedgerSnapshot;
      readonly billed: ReturnType<ReturnType<typeof recordedReplies>["billed"]>;
      readonly spent: Spent;
    }
  | { readonly notRun: string };

/** Scores a program on the experiment's split, under what is left of the budget. */
async function scoreRow(
  { declared, study, examples, prices }: LoadedRow,
  {
    split,
    runFolder,
    opened,
    seed,
    signal,
    program,
    left,
  }: RowRun & { readonly program: LoadedRow["study"]["program"] },
): Promise<RowScore> {
  const { reportReplies } = runFolderFiles(rowFiles(runFolder, declared.name).folder);
  using replies = recordedReplies(routedLm(opened), reportReplies, {
    budget: left,
    prices,
    signal,
  });
  const costs = ledger();
  const counted = (lm: LanguageModel): LanguageModel => withLedger(lm, costs);
  using progress = progressLine(`${declared.name} on ${split}`);
  try {
    const evaluation = await evaluate({
      program,
      examples,
      metric: study.objective,
      lm: counted(replies.lm),
      lms: mapValues(opened.lms, (lm) => counted(replies.record(lm))),
      wrapTool: (tool) => replies.wrapTool(tool),
      concurrency: opened.concurrency,
      stopsOnAbsence: true,
      seed,
      signal: replies.signal,
      onEvent: (event) => {
        progress.onEvent(event);
        if (event.kind === "example-end") replies.noteTime();
      },
    });
    const billed = replies.billed();
    const spent = scoreSpent(replies.spent(), { billed, examples: examples.length, prices });
    return { evaluation, costs: costs.snapshot(), billed, spent };
  } catch (error) {
    const cause = replies.outOfTime() ?? error;
    if (failureOf(cause).kind !== "budget") throw error;
    const scored = EvaluationStopped.isInstance(error) ? error.rows.length : 0;
    const of = `stopped after ${scored} of ${examples.length} examples`;
    return { notRun: `${of}: ${budgetText(cause)}` };
  }
}

function scoreSpent(
  spent: ReturnType<ReturnType<typeof recordedReplies>["spent"]>,
  {
    billed,
    examples,
    prices,
  }: {
    readonly billed: ReturnType<ReturnType<typeof recordedReplies>["billed"]>;
    readonly examples: number;
    readonly prices: PriceTable | undefined;
  },
): Spent {
  const { lmCalls, promptTokens, completionTokens, costUsd, wallTimeMs } = spent;
  const roles = Object.keys(billed) as LmRole[];
  return {
    metricCalls: examples,
    reflectionCalls: 0,
    lmCalls,
    promptTokens,
    completionTokens,
    billedCalls: roles.reduce((sum, role) => sum + (billed[role]?.calls ?? 0), 0),
    usd: prices === undefined ? null : costUsd,
    seconds: wallTimeMs / 1000,
  };
}
