import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { JsonObject, LmIdentity } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { jsonOrUndefined, mapValues } from "../../internal/index.ts";
import type { Mock } from "../../mock/index.ts";
import { playedParts } from "../../mock/index.ts";
import { runFolderFiles } from "../../optimizer/files.ts";
import type { Budget, PriceTable } from "../../optimizer/index.ts";
import { checkSameRun, spentIn } from "../../optimizer/index.ts";
import { readFileWithin, writeFileAtomic } from "../../storage/index.ts";
import type { OpenedLms } from "../lm/open-lms.ts";
import type { LoadedRow } from "./load-rows.ts";
import type { Spent } from "./row-budget.ts";

/** How a row ended. */
export interface RowDone {
  /** Of its optimization, if it has one, and of its score. */
  readonly spent: readonly Spent[];
  readonly optimized?: string;
  readonly mocks: readonly Mock[];
}

/** The file that says what a row is, and that it ended. */
export interface RowRecord {
  /** Everything that the row's figures depend on. */
  readonly description: JsonObject;
  /** By role or predictor. */
  readonly lms: Readonly<Record<string, LmIdentity>>;
  /** Under which its optimization began. */
  readonly budget: Budget;
  /** Absent until the row's result is on file. */
  readonly done?: RowDone;
}

const spent = z.object({
  metricCalls: z.number(),
  reflectionCalls: z.number(),
  lmCalls: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  billedCalls: z.number(),
  usd: z.number().nullable(),
  seconds: z.number(),
});
const identity = z.object({ provider: z.string(), model: z.string() });
const record = z.object({
  format: z.literal("espalier-experiment-row/2"),
  description: z.record(z.string(), z.json()),
  lms: z.record(z.string(), identity),
  budget: z.record(z.string(), z.number()),
  done: z
    .object({
      spent: z.array(spent),
      optimized: z.string().optional(),
      mocks: z.array(identity.extend({ part: z.enum(playedParts) })),
    })
    .optional(),
});

/** Files of a row, beside those of its optimization. */
export function rowFiles(
  runFolder: string,
  row: string,
): {
  readonly folder: string;
  readonly record: string;
  /** As `espalier eval --out` writes it. */
  readonly result: string;
  /** What an optimization chose, as `--candidate` takes it. */
  readonly candidate: string;
} {
  const folder = join(runFolder, "rows", row);
  return {
    folder,
    record: join(folder, "row.json"),
    result: join(folder, "result.json"),
    candidate: join(folder, "candidate.json"),
  };
}

/**
 * `undefined` for a row that never started.
 *
 * @throws EspalierError `file-malformed`; `journal-mismatch` for a row that was begun as another
 *   one: with other data, another program or other options
 */
export async function readRow(
  runFolder: string,
  { declared, description }: LoadedRow,
): Promise<RowRecord | undefined> {
  const path = rowFiles(runFolder, declared.name).record;
  if (!existsSync(path)) return undefined;
  const parsed = record.safeParse(jsonOrUndefined(await readFileWithin(path, 2 ** 24)));
  if (parsed.success) {
    const { format: _format, ...held } = parsed.data;
    checkSameRun(held.description, description, runFolder);
    return held as RowRecord;
  }
  throw new EspalierError({
    code: "file-malformed",
    problem: "An experiment's row file is malformed",
    where: path,
    expected: 'JSON with "format": "espalier-experiment-row/2"',
    got: z.prettifyError(parsed.error),
    fix: "Restore it, or remove the row's folder and lose its paid-for results.",
  });
}

export async function writeRow(runFolder: string, row: string, held: RowRecord): Promise<void> {
  const content = { format: "espalier-experiment-row/2", ...held };
  await writeFileAtomic(rowFiles(runFolder, row).record, `${JSON.stringify(content, null, 2)}\n`);
}

/**
 * What a row without a result has spent so far, in all processes: on its optimization and on its
 * score, by the replies on file. Nothing if it never began.
 */
export function rowSpending(
  runFolder: string,
  row: string,
  prices: PriceTable | undefined,
): readonly Spent[] {
  const { journal, reportReplies } = runFolderFiles(rowFiles(runFolder, row).folder);
  return [journal, reportReplies]
    .filter((path) => existsSync(path))
    .map((path) => spentIn(path, prices));
}

/** Who answers in which role, and for which predictor. */
export function lmsOf(
  { lm, judgeLm, reflectionLm, lms }: OpenedLms,
  { optimizer }: LoadedRow,
): RowRecord["lms"] {
  const plain = ({ provider, model }: LmIdentity): LmIdentity => ({ provider, model });
  return {
    lm: plain(lm.identity),
    ...(judgeLm && { judge: plain(judgeLm.identity) }),
    ...(reflectionLm && optimizer !== undefined && { reflection: plain(reflectionLm.identity) }),
    ...mapValues(lms, ({ identity: asked }) => plain(asked)),
  };
}

/**
 * Rejects LMs that differ from those of a row that was begun: its figures would be of two models.
 *
 * @throws EspalierError `journal-mismatch`
 */
export function checkSameLms(
  { lms: before }: RowRecord,
  now: RowRecord["lms"],
  runFolder: string,
): void {
  const named = (all: typeof before): JsonObject =>
    mapValues(all, ({ provider, model }) => `${model} (${provider})`);
  checkSameRun(named(before), named(now), runFolder);
}
