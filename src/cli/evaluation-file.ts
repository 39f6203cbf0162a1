import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { LmIdentity, SplitName } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { Evaluation } from "../evaluate/index.ts";
import { failureTable } from "../evaluate/index.ts";
import { writeFileAtomic } from "../internal/index.ts";
import type { LedgerSnapshot } from "../lm/index.ts";

/** What `espalier eval --out` writes: the evaluation, and what it was obtained with. */
export interface EvaluationFile {
  readonly study: string;
  readonly split: SplitName;
  readonly lm: LmIdentity & { readonly url?: string };
  readonly isRehearsal: boolean;
  readonly ledger: LedgerSnapshot;
  readonly evaluation: Evaluation;
}

const format = "espalier-evaluation/1";

export async function writeEvaluation(path: string, file: EvaluationFile): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify({ format, ...file })}\n`);
}

/** @throws EspalierError `file-missing`, `file-malformed` */
export async function readEvaluation(path: string): Promise<EvaluationFile> {
  const content = await readFile(path, "utf8").catch((error: unknown) => {
    throw new EspalierError({
      code: "file-missing",
      problem: `The result "${path}" cannot be read`,
      got: error instanceof Error ? error.message : String(error),
      cause: error,
    });
  });
  const parsed = envelope.safeParse(parseOr(content));
  if (parsed.success) return parsed.data as unknown as EvaluationFile;
  throw new EspalierError({
    code: "file-malformed",
    problem: "The file is not a result of `espalier eval --out`",
    where: path,
    expected: `JSON with "format": "${format}"`,
    got: content.length > 80 ? `${content.slice(0, 80)}...` : content || "an empty file",
  });
}

/** What a reader needs before trusting the rest; rows were checked when they were made. */
const envelope = z.looseObject({
  format: z.literal(format),
  study: z.string(),
  split: z.string(),
  isRehearsal: z.boolean(),
  evaluation: z.looseObject({
    metric: z.looseObject({ name: z.string() }),
    rows: z.array(
      z.looseObject({ exampleId: z.string(), score: z.looseObject({ kind: z.string() }) }),
    ),
  }),
});

function parseOr(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** The figures without the rows: the last JSON line of `espalier eval --json`. */
export function evaluationSummary({
  evaluation: { rows: _rows, ...figures },
  ...file
}: EvaluationFile): object {
  const { isRehearsal: rehearsal, ...rest } = file;
  const { groups } = failureTable({ rows: _rows, ...figures });
  return { ...rest, rehearsal, ...figures, failures: groups };
}
