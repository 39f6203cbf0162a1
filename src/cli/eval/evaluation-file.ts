import { z } from "zod";
import type { SplitName, Trainset } from "../../contract/index.ts";
import { EspalierError, errorCodes } from "../../errors/index.ts";
import type { Evaluation } from "../../evaluate/index.ts";
import { failureTable } from "../../evaluate/files.ts";
import { excerpt, jsonOrUndefined } from "../../internal/index.ts";
import { readNamedFile, writeFileAtomic } from "../../storage/index.ts";
import type { LedgerSnapshot } from "../../ledger/index.ts";
import { maxResultBytes } from "../load/file-format.ts";
import type { QueueCounts } from "../packages/workers-package.ts";
import type { AnsweringLm } from "../lm/open-lm.ts";
import type { Drawn } from "./draw-examples.ts";
import type { Mock } from "../../mock/index.ts";
import { playedParts } from "../../mock/index.ts";

/** The file that `espalier eval --out` writes: an evaluation and what it was obtained with. */
export interface EvaluationFile {
  readonly study: string;
  readonly trainset: Pick<Trainset, "name" | "version" | "checksum">;
  readonly split: SplitName;
  /** How the examples were taken from the split. */
  readonly drawn: Drawn;
  readonly lm: AnsweringLm;
  /** Absent if the metric used `lm` or no LM at all. */
  readonly judgeLm?: AnsweringLm;
  /** LMs of single predictors, by name; absent if all used `lm`. */
  readonly lms?: Readonly<Record<string, AnsweringLm>>;
  readonly isRehearsal: boolean;
  /** Every part that a mock played. */
  readonly mocks: readonly Mock[];
  readonly ledger: LedgerSnapshot;
  /** What happened to the examples that workers ran; absent if none did. */
  readonly workers?: QueueCounts;
  /** By what name tracking servers know it; absent if it was not tracked as it went. */
  readonly tracking?: { readonly key: string };
  readonly evaluation: Evaluation;
}

/** The `format` of such a file. */
const evaluationFormat = "espalier-evaluation/1";

export async function writeEvaluation(path: string, file: EvaluationFile): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify({ format: evaluationFormat, ...file })}\n`);
}

/** @throws EspalierError `file-missing`, `file-malformed` */
export async function readEvaluation(path: string): Promise<EvaluationFile> {
  const problem = `Cannot read the result "${path}"`;
  const content = await readNamedFile(path, maxResultBytes, { problem });
  const value = jsonOrUndefined(content);
  const parsed = envelope.safeParse(value);
  if (parsed.success) return parsed.data as unknown as EvaluationFile;
  const [issue] = parsed.error.issues;
  const at = issue?.path.join(".") ?? "";
  throw new EspalierError({
    code: "file-malformed",
    problem: "The file is not a result of `espalier eval --out`",
    where: path,
    expected: `JSON with "format": "${evaluationFormat}"`,
    got:
      at === "" || at === "format"
        ? excerpt(content, 80) || "an empty file"
        : `${at}: ${issue?.message ?? ""}`,
  });
}

const named = z.looseObject({ name: z.string(), version: z.string() });
const failure = z.looseObject({
  code: z
    .string()
    .refine((code) => Object.hasOwn(errorCodes, code), "not an error code of espalier"),
  message: z.string(),
});
const score = z.discriminatedUnion("kind", [
  z.looseObject({
    kind: z.literal("scored"),
    value: z.number(),
    feedback: z.string().optional(),
  }),
  z.looseObject({ kind: z.literal("not-applicable") }),
  z.looseObject({ kind: z.literal("unscored") }),
]);
const row = z.looseObject({
  exampleId: z.string(),
  cluster: z.string(),
  score,
  failure: failure.optional(),
  runs: z.array(z.looseObject({ failure: failure.optional() })).optional(),
});
const counts = z.looseObject({
  calls: z.number(),
  failedCalls: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
});

const queueCounts = {
  jobs: z.number(),
  cancelled: z.number(),
  lost: z.number(),
  dropped: z.number(),
};

const identity = z.looseObject({ provider: z.string(), model: z.string() });

/** Everything in a result that this module or a comparison reads. */
const envelope = z.looseObject({
  format: z.literal(evaluationFormat),
  study: z.string(),
  trainset: z.looseObject({ name: z.string(), checksum: z.string() }),
  split: z.string(),
  drawn: z.looseObject({
    rule: z.enum(["all", "first", "sample"]),
    of: z.number(),
    seed: z.number().optional(),
    strata: z.array(z.string()).optional(),
  }),
  lm: identity,
  judgeLm: identity.optional(),
  lms: z.record(z.string(), identity).optional(),
  isRehearsal: z.boolean(),
  mocks: z.array(identity.extend({ part: z.enum(playedParts) })),
  ledger: z.looseObject({
    byRole: z.record(z.string(), z.looseObject({ logical: counts, billed: counts })),
  }),
  workers: z.looseObject(queueCounts).optional(),
  tracking: z.looseObject({ key: z.string().regex(/^[0-9a-f-]{32,36}$/) }).optional(),
  evaluation: z.looseObject({
    program: named,
    metric: named,
    value: z.number().nullable(),
    interval: z.looseObject({ low: z.number(), high: z.number() }).nullable(),
    counts: z.looseObject({
      scored: z.number(),
      notApplicable: z.number(),
      unscored: z.number(),
      formatFailures: z.number(),
    }),
    coverage: z.number(),
    coverageFloor: z.number(),
    isAcceptable: z.boolean(),
    objectives: z.record(z.string(), z.number()),
    rows: z.array(row),
    seed: z.number(),
    seconds: z.number(),
  }),
});

/** The figures without the rows, as `espalier eval --json` prints them on its last line. */
export function evaluationSummary({
  evaluation: { rows: _rows, ...figures },
  ...file
}: EvaluationFile): object {
  const { isRehearsal: rehearsal, ...rest } = file;
  const { groups } = failureTable({ rows: _rows, ...figures });
  return { ...rest, rehearsal, ...figures, failures: groups };
}
