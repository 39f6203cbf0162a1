import { isTie, verdictSentence } from "../statistics/index.ts";
import type { Headline, HeadlineCost } from "./data/contrast.ts";

export type HeadlineParts = Omit<Headline, "sentence" | "lead">;

/** What won, against what, and how surely, in one sentence. */
export function headlineLead(parts: HeadlineParts): string {
  const { kind, winner, split, metric, value, baselineValue, verdict, words } = parts;
  const place = { on: split, other: winner.name, isChange: kind === "seed" };
  const said = capitalized(verdictSentence(verdict, words.verdict, place));
  const against = isTie(parts) ? "" : ` against ${figure(baselineValue)}`;
  return `${said}: ${figure(value)}${against} ${metric}.`;
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
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
    text === null ? [] : [`${capitalized(text)}.`],
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
  return `Lower on test: ${each.join(", ")}.`;
}

/** How far to trust the scores; empty if there is nothing to say. */
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
  return `The searches chose these candidates on these same examples, which flatters their scores${test}.`;
}

function costText({ metricCalls, tokens, costUsd }: HeadlineCost): string {
  return [
    ...(metricCalls === null ? [] : [`${counted(metricCalls)} metric calls`]),
    ...(tokens === null ? [] : [`${counted(tokens)} tokens`]),
    ...(costUsd === null ? [] : [`$${costUsd.toFixed(2)}`]),
  ].join(" and ");
}

export function figure(value: number): string {
  return value.toFixed(3);
}

function counted(value: number): string {
  return Math.round(value).toLocaleString("en");
}
