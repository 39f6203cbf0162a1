import type { Comparison, Evaluation } from "../../evaluate/index.ts";
import { failureTable, formatFailureTable } from "../../evaluate/files.ts";
import type { LedgerCounts, LedgerSnapshot } from "../../ledger/index.ts";
import { mockLabel } from "../../mock/index.ts";
import type { Drawn } from "./draw-examples.ts";
import { drawnText } from "./draw-examples.ts";
import type { EvaluationFile } from "./evaluation-file.ts";
import {
  intervalText,
  modelText,
  reasonLines,
  retriesText,
  uncountedText,
} from "../terminal/figures-text.ts";
import { inClusters, verdictSentence, verdictWords } from "../../statistics/index.ts";
import { joinLines } from "../terminal/terminal.ts";
import { queueText } from "../packages/workers-package.ts";

/** Formats an evaluation: figure and interval first, then failures, then costs. */
export function evaluationText({
  study,
  trainset,
  split,
  drawn,
  lm,
  mocks,
  lms = {},
  ledger,
  workers,
  evaluation,
}: EvaluationFile): string {
  const { program, metric, value, interval, counts } = evaluation;
  const clusters = new Set(evaluation.rows.map((row) => row.cluster)).size;
  return joinLines([
    `${study}: program ${program.name} ${program.version} on ${split} of ${trainset.name}, ${countText(evaluation.rows.length, drawn)}${inClusters(clusters, evaluation.rows.length)}`,
    `LM ${modelText(lm, mockLabel(mocks))}, seed ${evaluation.seed}`,
    ...Object.entries(lms).map(([name, asked]) => `${name} by ${asked.model} (${asked.provider})`),
    "",
    `${metric.name}  ${value === null ? "nothing was scored" : value.toFixed(4)}  ${intervalText(interval)}`,
    ...Object.entries(evaluation.objectives).map(([name, mean]) => `${name}  ${mean.toFixed(4)}`),
    `scored ${counts.scored}, including ${counts.formatFailures} format failures; not applicable ${counts.notApplicable}; unscored ${counts.unscored}`,
    coverageText(evaluation),
    "",
    ...formatFailureTable(failureTable(evaluation)).split("\n"),
    "",
    ...ledgerText(ledger),
    ...(workers === undefined ? [] : [queueText(workers)]),
    `${evaluation.seconds.toFixed(1)} s`,
  ]);
}

function countText(evaluated: number, drawn: Drawn): string {
  const how = drawnText(drawn);
  return how === "" ? `${evaluated} examples` : `${evaluated} of ${drawn.of} examples (${how})`;
}

function coverageText({ counts, coverage, coverageFloor, isAcceptable }: Evaluation): string {
  if (counts.scored + counts.unscored === 0) {
    return "the metric applies to none of the examples, so no claim can be made. Check that the examples have the labels it needs, such as relevance judgements.";
  }
  const floor = `below the floor of ${(100 * coverageFloor).toFixed(1)} %, so no claim can be made`;
  return `coverage ${(100 * coverage).toFixed(1)} % (the share of examples with a score)${isAcceptable ? "" : `, ${floor}`}`;
}

/** Formats a comparison with a baseline, verdict first. */
export function comparisonLines(comparison: Comparison, metric: string): readonly string[] {
  const { verdict, dropped } = comparison;
  const words = verdictWords(comparison, "the baseline").verdict;
  return [
    `verdict: ${verdictSentence(verdict, words, { on: metric, other: "the program" })}`,
    ...reasonLines(comparison),
    ...(dropped.length === 0 ? [] : [`  ${dropped.length} examples lack a score in one or both`]),
  ];
}

/** Formats what calls cost, one line for each role. */
export function ledgerText({ byRole }: LedgerSnapshot): string[] {
  return Object.entries(byRole).map(
    ([role, { logical, billed }]) =>
      `${role}: ${logical.calls} calls (${billed.calls} sent to the server), ` +
      `${logical.promptTokens} prompt and ${logical.completionTokens} completion tokens` +
      uncountedText(logical) +
      cachedText(billed) +
      (logical.failedCalls === 0 ? "" : `, ${logical.failedCalls} failed calls`) +
      retriesText(billed),
  );
}

/**
 * The share of billed prompt tokens that came from the server's prefix cache, if the server reports
 * it.
 */
function cachedText({ promptTokens, cachedPromptTokens }: LedgerCounts): string {
  if (cachedPromptTokens === null || promptTokens === 0) return "";
  const share = (100 * cachedPromptTokens) / promptTokens;
  return `, ${share.toFixed(1)} % of the prompt tokens sent came from the server's prefix cache`;
}
