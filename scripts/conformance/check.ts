import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readJsonl } from "espalier/trainset";
import { z } from "zod";

/** What a check found: how many of the reference's figures ours agrees with. */
export interface Agreement {
  readonly passed: number;
  readonly total: number;
  /** The figures behind it, where a count does not say enough. */
  readonly note?: string;
}

/** One reference that a part of this repository must agree with. */
export interface ConformanceCheck {
  /** As printed, and as the key of `--json`. */
  readonly name: string;
  /** Largest difference that counts as agreement, and why. */
  readonly tolerance: string;
  /** Files below the data folder that the reference is in. */
  readonly files: readonly string[];
  /** Takes more than ten seconds: `npm run test:slow` runs it, `npm test` does not. */
  readonly isSlow?: boolean;
  readonly run: (data: ReferenceData) => Promise<Agreement>;
}

/** The reference files, read on demand. */
export interface ReferenceData {
  json<TContent>(path: string): Promise<TContent>;
  /** One JSON value a line, packed or not; a bare NaN of Python is null. */
  lines<TRow>(path: string): Promise<readonly TRow[]>;
}

export function referenceData(folder: string): ReferenceData {
  return {
    json: async <TContent>(path: string) =>
      JSON.parse(await readFile(join(folder, path), "utf8")) as TContent,
    lines: async <TRow>(path: string) =>
      (await readJsonl(join(folder, path), z.unknown(), {
        bareNonFinite: "null",
      })) as readonly TRow[],
  };
}

/** Counts the rows on which ours agrees. */
export function agreeing<TRow>(rows: readonly TRow[], agrees: (row: TRow) => boolean): Agreement {
  return { passed: rows.filter(agrees).length, total: rows.length };
}

/** Whether two figures differ by no more than the tolerance; NaN agrees with nothing. */
export function isNear(ours: number, theirs: number, tolerance = 1e-9): boolean {
  return Math.abs(ours - theirs) <= tolerance;
}
