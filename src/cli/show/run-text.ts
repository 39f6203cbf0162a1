import { keptText } from "../reports/kept-text.ts";
import { valueText } from "../reports/value-text.ts";
import type { CandidateRecord, RecordedRun, Rejection } from "../../optimizer/index.ts";
import type { ReportsFile } from "../../optimizer/files.ts";
import { candidateMeasures, shownQuality } from "../../optimizer/files.ts";
import type { ReportedCosts } from "../reports/reported-costs.ts";
import type { LmIdentity } from "../../contract/index.ts";
import { standInLabel, standInsOfRun } from "../../stand-in/index.ts";
import { runLedgerText } from "./run-ledger-text.ts";
import { creditsText } from "../terminal/credits-text.ts";
import { scoreConflictsText } from "../terminal/score-conflicts-text.ts";
import { searchText } from "../terminal/search-text.ts";
import { stopReasons } from "../terminal/stop-reasons.ts";
import { runTree } from "./run-tree.ts";
import { componentChanges } from "../terminal/component-changes.ts";
import { reportText } from "./report-text.ts";
import { columns } from "../terminal/columns.ts";
import { joinLines } from "../terminal/join-lines.ts";

/**
 * Formats a run: how it went, the report on test, what changed, the tree of candidates, what was
 * rejected, and the costs.
 */
export function runText(
  folder: string,
  recorded: RecordedRun,
  {
    shown,
    reports,
    onTest,
  }: {
    readonly shown: CandidateRecord | null;
    readonly reports: ReportedCosts;
    /** What reports on test found, by candidate. */
    readonly onTest: ReportsFile["figures"];
  },
): string {
  const { end, iterations, candidates, refusals, disputes, credits } = recorded;
  const { spent, best, front } = recorded;
  const seed = candidates[0];
  return joinLines([
    `run ${folder}: ${subjectOf(recorded)}`,
    ...recorded.searches.map(searchText),
    `${end === undefined ? "not ended" : stopReasons[end.reason]}${end?.detail === undefined ? "" : ` (${end.detail})`} after ${iterations} iterations`,
    `${spent.metricCalls} metric calls, ${spent.reflectionCalls} reflection texts, ${spent.lmCalls} LM calls, ${spent.tokens} tokens`,
    keptText(recorded),
    ...scoreConflictsText(disputes),
    ...lineBefore(reportText(onTest)),
    ...(shown === null || seed === undefined || shown.id === seed.id
      ? []
      : [
          "",
          `candidate ${shown.id} against the program it started from: [-gone-] {+new+}`,
          ...componentChanges(seed.components, shown.components),
        ]),
    "",
    ...treeText(candidates, best),
    "",
    ...measuresText(candidates, front),
    ...lineBefore(creditsText(credits)),
    ...refusalsText(refusals),
    "",
    ...runLedgerText(recorded, reports),
  ]);
}

function lineBefore(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", ...lines];
}

function subjectOf({ run }: RecordedRun): string {
  const { optimizer, seed, program, task, trainset, objective, lm } = run as {
    readonly [part: string]: { readonly [key: string]: string } | undefined;
  };
  const of = program ?? task;
  const { inBrackets, parts } = standInLabel(standInsOfRun(run));
  return [
    `${optimizer?.["name"]} ${optimizer?.["version"]} on ${of?.["name"]} ${of?.["version"]}`,
    ...(trainset === undefined ? [] : [`trainset ${trainset["name"]}`]),
    ...(objective === undefined ? [] : [`objective ${objective["name"]}`]),
    ...(lm === undefined ? [] : [`LM ${lm["model"]}${inBrackets}`]),
    ...Object.entries(lmsOfRun(run)).map(([name, { model }]) => `${name} by ${model}`),
    ...(parts === "" ? [] : [`stand-ins ${parts}`]),
    `seed ${JSON.stringify(seed)}`,
  ].join(", ");
}

/** The LMs of single predictors. */
function lmsOfRun(run: RecordedRun["run"]): Readonly<Record<string, LmIdentity>> {
  return (run as { readonly lms?: Readonly<Record<string, LmIdentity>> }).lms ?? {};
}

function treeText(
  candidates: readonly CandidateRecord[],
  best: CandidateRecord | null,
): readonly string[] {
  if (candidates.length === 0) return ["the program has not been evaluated yet"];
  return runTree(candidates).map(({ indent, candidate }) => {
    const { id, parents, iteration, selection, changed, acceptance } = candidate;
    const others = parents.slice(1);
    return [
      `${indent}${id}  ${valueText(selection, candidates[0])}${id === best?.id ? " best" : ""}`,
      ...(id === 0 ? [] : [`iteration ${iteration}`, changed.join(", ")]),
      ...(others.length === 0 ? [] : [`with ${others.join(", ")}`]),
      acceptance.detail,
    ].join("  ");
  });
}

/** A table of all measures that marks the candidates on the Pareto front. */
function measuresText(
  candidates: readonly CandidateRecord[],
  front: readonly number[],
): readonly string[] {
  const names = [
    ...new Set(candidates.flatMap((one) => candidateMeasures(one).map(({ name }) => name))),
  ];
  const rows = candidates.map((candidate) => {
    const values = new Map(candidateMeasures(candidate).map(({ name, value }) => [name, value]));
    values.set("quality", shownQuality(candidate.selection, candidates[0]));
    const { seen, scores } = candidate.selection;
    return [
      `${candidate.id}${front.includes(candidate.id) ? " *" : ""}`,
      ...names.map((name) => measureText(values.get(name))),
      String(seen ?? Object.keys(scores).length),
    ];
  });
  const headings = ["", ...names, "examples"];
  const isAlways = candidates.every(({ selection }) => selection.seen !== undefined);
  return [
    `on val, per example that was run; quality is an estimate${isAlways ? "" : " where these are not all"}; * marks the Pareto front: no other candidate is at least as good in every measure`,
    ...columns([headings, ...rows]),
  ];
}

function measureText(value: number | undefined): string {
  if (value === undefined) return "-";
  return value >= 100 ? value.toFixed(0) : value.toFixed(4);
}

function refusalsText(refusals: readonly Rejection[]): readonly string[] {
  if (refusals.length === 0) return [];
  const byReason = Map.groupBy(refusals, ({ reason }) => reason);
  return [
    "",
    "refused",
    ...[...byReason].flatMap(([reason, all]) => [
      `  ${reason} (${all.length})`,
      ...[...Map.groupBy(all, sameText)].map(
        ([text, alike]) => `    ${iterationsText(alike)}, ${text}`,
      ),
    ]),
  ];
}

/** What is said of one refusal, and often of a hundred others. */
function sameText({ parents, components, detail }: Rejection): string {
  return `from ${parents.join(" and ")}, ${components.join(", ")}: ${detail}`;
}

function iterationsText(alike: readonly Rejection[]): string {
  const [first, last] = [alike[0]?.iteration, alike.at(-1)?.iteration];
  const where = first === last ? `iteration ${first}` : `iterations ${first} to ${last}`;
  return alike.length === 1 ? where : `${alike.length} times in ${where}`;
}
