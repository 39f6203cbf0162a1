import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { JsonObject, LmIdentity } from "../../../contract/index.ts";
import { EspalierError } from "../../../errors/index.ts";
import type { RowCosts } from "../../../experiment/index.ts";
import { jsonOrUndefined } from "../../../internal/index.ts";
import { runFolderFiles, runIn } from "../../../optimizer/files.ts";
import type { Budget, PriceTable } from "../../../optimizer/index.ts";
import { spentIn } from "../../../optimizer/index.ts";
import type { Mock } from "../../../mock/index.ts";
import { playedParts } from "../../../mock/index.ts";
import { readFileWithin, writeFileAtomic } from "../../../storage/index.ts";

/** What one part of a row spent. */
export interface Spent extends RowCosts {
  readonly reflectionCalls: number;
}

/** How a row ended. */
export interface RowDone {
  readonly evaluation: Spent;
  /** Of its optimization. */
  readonly search?: Spent;
  /** Of a step that a cap cut short: calls that were made, but stand for nothing. */
  readonly cutShort: { readonly lmCalls: number; readonly tokens: number };
  readonly optimized?: string;
  readonly mocks: readonly Mock[];
}

/** The file that says what a row is, and that it ended. */
export interface RowRecord {
  /** Everything that the row's figures depend on. */
  readonly description: JsonObject;
  /** By role or predictor. */
  readonly lms: Readonly<Record<string, LmIdentity>>;
  /** Of its optimization; recorded, since it depends on what earlier rows spent. */
  readonly budget: Budget;
  /** Which cap ended its optimization under this budget before the program was scored once. */
  readonly searchStop?: string;
  /** Most examples scored when a cap stopped the row; absent if none did. */
  readonly scored?: number;
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
const mock = identity.extend({ part: z.enum(playedParts) });
const record = z.object({
  format: z.literal("espalier-experiment-row/1"),
  description: z.record(z.string(), z.json()),
  lms: z.record(z.string(), identity),
  budget: z.record(z.string(), z.number()),
  searchStop: z.string().optional(),
  scored: z.number().optional(),
  done: z
    .object({
      evaluation: spent,
      search: spent.optional(),
      cutShort: z.object({ lmCalls: z.number(), tokens: z.number() }),
      optimized: z.string().optional(),
      mocks: z.array(mock),
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

/** Whether the row may have spent something. */
export function hasBegun(runFolder: string, row: string): boolean {
  const { folder } = rowFiles(runFolder, row);
  const { hasJournal, hasWork } = runIn(folder);
  return hasJournal || hasWork || existsSync(runFolderFiles(folder).reportReplies);
}

/**
 * `undefined` for a row that never started.
 *
 * @throws EspalierError `file-malformed`
 */
export async function readRow(runFolder: string, row: string): Promise<RowRecord | undefined> {
  const path = rowFiles(runFolder, row).record;
  if (!existsSync(path)) return undefined;
  const parsed = record.safeParse(jsonOrUndefined(await readFileWithin(path, 2 ** 24)));
  if (parsed.success) {
    const { format: _format, ...held } = parsed.data;
    return held as RowRecord;
  }
  throw new EspalierError({
    code: "file-malformed",
    problem: "The file of an experiment's row is malformed",
    where: path,
    expected: 'JSON with "format": "espalier-experiment-row/1"',
    got: z.prettifyError(parsed.error),
    fix: "Restore it, or remove the row's folder and lose what the row has paid for.",
  });
}

export async function writeRow(runFolder: string, row: string, held: RowRecord): Promise<void> {
  const content = { format: "espalier-experiment-row/1", ...held };
  await writeFileAtomic(rowFiles(runFolder, row).record, `${JSON.stringify(content, null, 2)}\n`);
}

/**
 * What a row without a result has spent so far, in all processes: on its optimization and on its
 * score, by the replies on file. Empty if it never began.
 */
export function rowSpending(
  runFolder: string,
  row: string,
  {
    record,
    prices,
  }: { readonly record: RowRecord | undefined; readonly prices: PriceTable | undefined },
): readonly Spent[] {
  if (!hasBegun(runFolder, row)) return [];
  const { work, reportReplies } = runFolderFiles(rowFiles(runFolder, row).folder);
  const scoring = { ...spentIn(reportReplies, prices), metricCalls: record?.scored ?? 0 };
  return [spentIn(work, prices), scoring];
}
