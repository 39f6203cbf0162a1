import {
  keptText,
  valueText,
  scoreConflictsText,
  searchText,
  stopReasons,
} from "../terminal/search-text.ts";
import type { CandidateRecord, RecordedRun, Rejection } from "../../optimizer/index.ts";
import type { ReportsFile } from "../../optimizer/files.ts";
import { candidateMeasures, shownQuality } from "../../optimizer/files.ts";
import type { ReportedCosts } from "./reported-costs.ts";
import type { LmIdentity, LmRole } from "../../contract/index.ts";
import { mockLabel, mocksOfRun } from "../../mock/index.ts";
import { retriesText, uncountedText, figuresText } from "../terminal/figures-text.ts";
import { componentChanges } from "../terminal/component-changes.ts";
import { columns, joinLines } from "../terminal/terminal.ts";

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
  const { end, iterations, candidates, rejections, disputes } = recorded;
  const { spent, best, front } = recorded;
  const seed = candidates[0];
  return joinLines([
    `run ${folder}`,
    subjectOf(recorded),
    ...recorded.searches.map(searchText),
    `${end === undefined ? "not ended" : stopReasons[end.reason]}${end?.detail === undefined ? "" : ` (${end.detail})`} after ${iterations} ${iterations === 1 ? "iteration" : "iterations"}`,
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
    ...rejectionsText(rejections),
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
  const { inBrackets, parts } = mockLabel(mocksOfRun(run));
  return [
    `${optimizer?.["name"]} ${optimizer?.["version"]} on ${of?.["name"]} ${of?.["version"]}`,
    ...(trainset === undefined ? [] : [`trainset ${trainset["name"]}`]),
    ...(objective === undefined ? [] : [`objective ${objective["name"]}`]),
    ...(lm === undefined ? [] : [`LM ${lm["model"]}${inBrackets}`]),
    ...Object.entries(lmsOfRun(run)).map(([name, { model }]) => `${name} by ${model}`),
    ...(parts === "" ? [] : [`mocks play ${parts}`]),
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
    `on val, per example that was run; quality is an estimate${isAlways ? "" : " where not all were run"}`,
    "* on the Pareto front: no other candidate is at least as good in every measure",
    ...columns([headings, ...rows]),
  ];
}

function measureText(value: number | undefined): string {
  if (value === undefined) return "-";
  return value >= 100 ? value.toFixed(0) : value.toFixed(4);
}

function rejectionsText(rejections: readonly Rejection[]): readonly string[] {
  if (rejections.length === 0) return [];
  const byReason = Map.groupBy(rejections, ({ reason }) => reason);
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

/** What each report on test found, in the words in which it was printed. */
export function reportText(figures: ReportsFile["figures"]): readonly string[] {
  return Object.entries(figures).flatMap(([candidate, found]) => [
    `report on candidate ${candidate} on test, held out from the search`,
    ...figuresText(found).map((line) => `  ${line}`),
  ]);
}

/** One line of a tree of candidates. */
interface TreeLine {
  /** The branch characters before it: `│  └─ `. */
  readonly indent: string;
  readonly candidate: CandidateRecord;
}

/** Lists candidates below their first parents, in the order of acceptance. */
export function runTree(candidates: readonly CandidateRecord[]): readonly TreeLine[] {
  const childrenOf = Map.groupBy(candidates, ({ parents }) => parents[0] ?? -1);
  const lines: TreeLine[] = [];
  // Iterative, because a long lineage could overflow the stack.
  const waiting = [...(childrenOf.get(-1) ?? [])]
    .toReversed()
    .map((candidate) => ({ candidate, indent: "", margin: "" }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { candidate, indent, margin } = next;
    lines.push({ indent, candidate });
    const children = childrenOf.get(candidate.id) ?? [];
    for (const [index, child] of [...children.entries()].toReversed()) {
      const isLast = index === children.length - 1;
      waiting.push({
        candidate: child,
        indent: `${margin}${isLast ? "└─ " : "├─ "}`,
        margin: `${margin}${isLast ? "   " : "│  "}`,
      });
    }
  }
  return lines;
}

type Counts = Readonly<Record<"calls" | "promptTokens" | "completionTokens", number>> & {
  readonly failedCalls?: number;
  readonly retries?: number;
  readonly uncountedCalls?: number;
};

/**
 * Formats the costs of search and reports together, by role. If all costs are known, these are the
 * sums that `optimize` prints at its end.
 */
export function runLedgerText(
  { end, billed }: RecordedRun,
  reports: ReportedCosts,
): readonly string[] {
  const found = [end?.used ?? {}, billed, reports.billed, ...reports.used].flatMap(Object.keys);
  const byRole = [...new Set<LmRole>(["student", "reflection", ...(found as LmRole[])])].map(
    (role) => {
      const onTest = sumOf(reports.used.map((used) => used[role]));
      const logical = sumOf([end?.used[role], onTest]);
      const sent = sumOf([billed[role], reports.billed[role]]);
      const costs = [
        ...(end?.used[role] === undefined && onTest.calls === 0
          ? []
          : [
              `${logical.calls} calls${onTest.calls === 0 ? "" : `, ${onTest.calls} of them for test`}, ${tokensOf(logical)}`,
            ]),
        `sent to the server: ${sent.calls} calls, ${tokensOf(sent)}${sent.failedCalls === 0 ? "" : `, ${sent.failedCalls} failed calls`}${retriesText(sent)}`,
      ];
      return `${role}: ${costs.join("; ")}`;
    },
  );
  if (!reports.hasUnknown) return byRole;
  return [
    ...byRole,
    "the calls of one or more reports on test are unknown, except those that were sent to the server: these reports did not complete",
  ];
}

function tokensOf(counts: Counts): string {
  const { promptTokens, completionTokens } = counts;
  return `${promptTokens} prompt and ${completionTokens} completion tokens${uncountedText(counts)}`;
}

function sumOf(parts: readonly (Counts | undefined)[]): Required<Counts> {
  const sum = {
    calls: 0,
    uncountedCalls: 0,
    promptTokens: 0,
    completionTokens: 0,
    failedCalls: 0,
    retries: 0,
  };
  for (const part of parts) {
    sum.calls += part?.calls ?? 0;
    sum.promptTokens += part?.promptTokens ?? 0;
    sum.completionTokens += part?.completionTokens ?? 0;
    sum.failedCalls += part?.failedCalls ?? 0;
    sum.retries += part?.retries ?? 0;
    sum.uncountedCalls += part?.uncountedCalls ?? 0;
  }
  return sum;
}
