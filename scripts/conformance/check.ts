import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readJsonl } from "espalier/trainset";
import { z } from "zod";

/** The outcome of a check: how many of the reference's figures ours match. */
export interface Agreement {
  readonly passed: number;
  readonly total: number;
  /** The underlying figures, if the count alone says too little. */
  readonly note?: string;
}

/** A reference that part of this repository must agree with. */
export interface ConformanceCheck {
  /** Printed, and the key in `--json`. */
  readonly name: string;
  /** The largest difference that counts as agreement, and why. */
  readonly tolerance: string;
  /** The reference's files, relative to the data folder. */
  readonly files: readonly string[];
  /** Takes more than ten seconds: `npm run test:slow` runs it, `npm test` does not. */
  readonly isSlow?: boolean;
  readonly run: (data: ReferenceData) => Promise<Agreement>;
}

/** The reference files, read on demand. */
export interface ReferenceData {
  json<TContent>(path: string): Promise<TContent>;
  /** One JSON value per line, optionally gzipped; Python's bare NaN becomes null. */
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

/** Counts the rows on which ours and the reference agree. */
export function agreeing<TRow>(rows: readonly TRow[], agrees: (row: TRow) => boolean): Agreement {
  return { passed: rows.filter(agrees).length, total: rows.length };
}

/** Whether two figures differ by at most the tolerance; NaN never agrees. */
export function isNear(ours: number, theirs: number, tolerance = 1e-9): boolean {
  return Math.abs(ours - theirs) <= tolerance;
}
