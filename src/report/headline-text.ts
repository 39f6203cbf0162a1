import { isTie } from "../statistics/index.ts";
import type { Headline, HeadlineCost } from "./data/contrast.ts";

export type HeadlineParts = Omit<Headline, "sentence" | "lead">;

/** What won, against what, and how surely, in one sentence. */
export function headlineLead(parts: HeadlineParts): string {
  const { kind, winner, baseline, split, metric, value, baselineValue, verdict, among } = parts;
  const name = phrase(winner.name);
  const on = `${metric} on ${split}`;
  const rival = kind === "seed" ? "the program it started from" : baseline.name;
  const which = among ? `, ${among.against} of ${among.count}` : "";
  if (isTie(parts)) {
    const tie = among ? `A tie with ${among.against} of ${among.count}` : "A tie";
    return `${tie}: ${name} is ${parts.words.verdict}, ${figure(value)} ${on}.`;
  }
  const outcome = {
    better: `beats ${rival}${which}`,
    worse: `is worse than ${rival}${which}`,
    undecided:
      parts.difference < 0
        ? `scores below ${rival}${which}, which may be chance`
        : `scores above ${rival}${which}, which may be chance`,
  }[verdict];
  return `${name} ${outcome}: ${figure(value)} against ${figure(baselineValue)} ${on}.`;
}

/** A name that begins a sentence: names of optimizers and files keep their first letter. */
export function phrase(name: string): string {
  return name.replace(/^candidate /, "Candidate ").replace(/^the seed /, "The seed ");
}

/** The difference with its interval, what decided, and what would help, in sentences. */
function differenceText(parts: HeadlineParts): string {
  const { difference, interval, words, clusters } = parts;
  // The lead has said it.
  if (isTie(parts)) return "";
  const bounds = words.isIntervalTooNarrow
    ? ` (no interval: ${clusters} independent groups of examples are too few)`
    : interval
      ? ` (95 % interval ${figure(interval.low)} to ${figure(interval.high)})`
      : "";
  const said = [words.reason, words.help].flatMap((text) =>
    text === null ? [] : [`${text.charAt(0).toUpperCase()}${text.slice(1)}.`],
  );
  return [`The difference is ${figure(difference)}${bounds}.`, ...said].join(" ");
}

/** By how much, what a reader must know of it, and what it cost, in sentences. */
export function headlineRest(parts: HeadlineParts): readonly string[] {
  const caveat = headlineCaveat(parts);
  const spent = costText(parts);
  return [
    ...[differenceText(parts), fellText(parts), caveat].filter((sentence) => sentence !== ""),
    ...(spent === "" ? [] : [`It took ${spent}.`]),
    ...(parts.isRehearsal
      ? ["These figures come from the rehearsal LM and say nothing about a real model."]
      : []),
  ];
}

function fellText({ fell = [] }: HeadlineParts): string {
  if (fell.length === 0) return "";
  const each = fell.map(
    ({ metric, value, difference }) =>
      `${metric} from ${figure(value - difference)} to ${figure(value)}`,
  );
  return `What fell on test: ${each.join(", ")}.`;
}

/** How far the scores are to be trusted; empty where nothing is to be said. */
export function headlineCaveat({
  kind,
  split,
  onTest,
}: Pick<Headline, "kind" | "split" | "onTest">): string {
  if (kind === "result" || split !== "val") return "";
  const test =
    onTest === undefined
      ? ""
      : `; on test, which no search saw, they are ${figure(onTest.value)} against ${figure(onTest.baselineValue)}`;
  return `The searches chose these candidates by these same examples, which flatters their scores${test}.`;
}

function costText({ metricCalls, tokens, costUsd }: HeadlineCost): string {
  return [
    ...(metricCalls === null ? [] : [`${counted(metricCalls)} metric calls`]),
    ...(tokens === null ? [] : [`${counted(tokens)} tokens`]),
    ...(costUsd === null ? [] : [`$${costUsd.toFixed(2)}`]),
  ].join(" and ");
}

function figure(value: number): string {
  return value.toFixed(3);
}

function counted(value: number): string {
  return Math.round(value).toLocaleString("en");
}
