import { canonicalJson, excerpt } from "../../internal/index.ts";
import { changeInWords } from "../../word-diff/index.ts";

/** One difference from the time when the artifact was compiled. */
export interface Drift {
  /**
   * What differs, and where: `version of the program`, `input "question" of predictor "answer"`.
   */
  readonly what: string;
  /** `null` if it did not exist. */
  readonly was: string | null;
  /** `null` if it no longer exists. */
  readonly now: string | null;
  /** How it changed, as the end of a sentence; absent where `was` and `now` say so. */
  readonly change?: string;
}

/** `version of the program was "1" and is "2"`. */
export function driftSentence({ what, was, now, change }: Drift): string {
  if (change !== undefined) return `${what} ${change}`;
  if (was === null) return `${what} is new (${now})`;
  if (now === null) return `${what} is gone (${was})`;
  return `${what} was ${was} and is ${now}`;
}

/** In UTF-16 code units: keeps the list of drifts within a message's length limit. */
const longest = { sentences: 1_000, value: 140 } as const;

/** As many drifts as fit into a message, at least the first, and the number of the others. */
export function driftSentences(drifts: readonly Drift[]): string {
  const sentences = drifts.map(({ what, was, now, ...rest }) =>
    driftSentence({
      ...rest,
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

/** A drift if two JSON values differ; `undefined` means that a value is missing. */
export function changed(what: string, was: unknown, now: unknown): readonly Drift[] {
  const before = was === undefined ? null : canonicalJson(was);
  const after = now === undefined ? null : canonicalJson(now);
  if (before === after) return [];
  const drift = { what, was: before, now: after };
  const change = changeInWords(was, now);
  return [driftSentence(drift) === `${what} ${change}` ? drift : { ...drift, change }];
}

/** A drift if two hashes differ: of what they stand for, sentences can say only that it changed. */
export function changedHash(what: string, was: string, now: string): readonly Drift[] {
  if (was === now) return [];
  return [{ what, was: was.slice(0, 12), now: now.slice(0, 12), change: "changed" }];
}
