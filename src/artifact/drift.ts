import { canonicalJson } from "../internal/index.ts";

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
