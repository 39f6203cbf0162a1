import { canonicalJson, excerpt } from "../../internal/index.ts";

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
}

/** `version of the program was "1" and is "2"`. */
export function driftSentence({ what, was, now }: Drift): string {
  if (was === null) return `${what} is new (${now})`;
  if (now === null) return `${what} is gone (${was})`;
  return `${what} was ${was} and is ${now}`;
}

/** In UTF-16 code units: keeps the list of drifts within a message's length limit. */
const longest = { sentences: 1_000, value: 140 } as const;

/** As many drifts as fit into a message, at least the first, and the number of the others. */
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

/** A drift if two JSON values differ; `undefined` means that a value is missing. */
export function changed(what: string, was: unknown, now: unknown): readonly Drift[] {
  const before = was === undefined ? null : canonicalJson(was);
  const after = now === undefined ? null : canonicalJson(now);
  return before === after ? [] : [{ what, was: before, now: after }];
}

/** A drift if two hashes differ, with enough digits of each to distinguish them. */
export function changedHash(what: string, was: string, now: string): readonly Drift[] {
  return was === now ? [] : [{ what, was: was.slice(0, 12), now: now.slice(0, 12) }];
}
