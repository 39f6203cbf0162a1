import { canonicalJson, excerpt } from "../../internal/index.ts";

/** One thing that is not as it was when the artifact was compiled. */
export interface Drift {
  /** What it is and where: `version of the program`, `input "question" of predictor "answer"`. */
  readonly what: string;
  /** `null` when it was not there. */
  readonly was: string | null;
  /** `null` when it is not there any more. */
  readonly now: string | null;
}

/** `version of the program was "1" and is "2"`. */
export function driftSentence({ what, was, now }: Drift): string {
  if (was === null) return `${what} is new (${now})`;
  if (now === null) return `${what} is gone (${was})`;
  return `${what} was ${was} and is ${now}`;
}

/** In UTF-16 code units: what a message tells of drifts is not cut where it is shown. */
const longest = { sentences: 1_000, value: 140 } as const;

/** As many drifts as a message has room for, the first in any case, and how many more there are. */
export function driftSentences(drifts: readonly Drift[]): string {
  const sentences = drifts.map(({ what, was, now }) =>
    driftSentence({
      what: excerpt(what, longest.value),
      was: was && excerpt(was, longest.value),
      now: now && excerpt(now, longest.value),
    }),
  );
  let length = 0;
  const fitting = sentences.filter((each) => (length += each.length + 2) <= longest.sentences);
  const left = sentences.length - fitting.length;
  return [...fitting, ...(left === 0 ? [] : [`and ${left} more`])].join("; ");
}

/** A drift if two JSON values differ; `undefined` stands for one that is not there. */
export function changed(what: string, was: unknown, now: unknown): readonly Drift[] {
  const before = was === undefined ? null : canonicalJson(was);
  const after = now === undefined ? null : canonicalJson(now);
  return before === after ? [] : [{ what, was: before, now: after }];
}

/** A drift if two hashes differ, with enough of each to tell them apart. */
export function changedHash(what: string, was: string, now: string): readonly Drift[] {
  return was === now ? [] : [{ what, was: was.slice(0, 12), now: now.slice(0, 12) }];
}
