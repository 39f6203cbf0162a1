import { appendFile, mkdir, readFile, truncate, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { EspalierError } from "espalier";
import { z } from "zod";
import { compoundRow } from "./compound-row.ts";

/** What must be unchanged for a build to resume. */
export interface BuildIdentity {
  readonly corpus: string;
  readonly model: string;
  readonly seed: number;
  readonly documents: number;
  readonly perEntity: number;
}

const entityRecord = z.object({
  entity: z.string(),
  rows: z.array(compoundRow),
  simple: z.number(),
  unusable: z.number(),
  refused: z.number(),
});
export type EntityRecord = z.infer<typeof entityRecord>;

export interface ProgressFile {
  /** From earlier builds. */
  readonly done: readonly EntityRecord[];
  append(record: EntityRecord): Promise<void>;
}

/**
 * Opens or creates the progress file: a first line that describes the build, then one line per
 * finished entity. Cuts off an incomplete last line that a kill left behind.
 *
 * @throws EspalierError `journal-mismatch` if the file belongs to another build; `file-malformed`
 */
export async function progressFile(path: string, identity: BuildIdentity): Promise<ProgressFile> {
  await mkdir(dirname(path), { recursive: true });
  const lines = await wholeLines(path);
  const [first, ...rest] = lines;
  if (first === undefined) await writeFile(path, `${JSON.stringify(identity)}\n`);
  else refuseOther(path, first, identity);
  return {
    done: rest.map((line, index) => recordOf(line, `${path}:${index + 2}`)),
    append: (record) => appendFile(path, `${JSON.stringify(record)}\n`),
  };
}

async function wholeLines(path: string): Promise<readonly string[]> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (bytes === undefined) return [];
  const end = bytes.lastIndexOf("\n") + 1;
  if (end < bytes.length) await truncate(path, end);
  return bytes.subarray(0, end).toString().split("\n").slice(0, -1);
}

function refuseOther(path: string, line: string, identity: BuildIdentity): void {
  if (line === JSON.stringify(identity)) return;
  throw new EspalierError({
    code: "journal-mismatch",
    problem: "The folder holds a build from other inputs",
    where: path,
    expected: JSON.stringify(identity),
    got: line,
    fix: "Use the same corpus, model and options, or build into another folder.",
  });
}

function recordOf(line: string, where: string): EntityRecord {
  try {
    return entityRecord.parse(JSON.parse(line));
  } catch (cause) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "A record of the build is malformed",
      where,
      expected: "one entity with its questions",
      fix: "Remove the line: its entity will be built again.",
      cause,
    });
  }
}
