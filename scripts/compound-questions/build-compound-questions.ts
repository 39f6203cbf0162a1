import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LanguageModel } from "espalier";
import { EspalierError, randomSource } from "espalier";
import type { Corpus } from "espalier/retrieval";
import { bm25Index } from "espalier/retrieval";
import { composeQuestions } from "./compose-questions.ts";
import type { CompoundRow } from "./compound-row.ts";
import { documentsOf, sampleEntities } from "./entity-documents.ts";
import type { EntityRecord } from "./progress-file.ts";
import { progressFile } from "./progress-file.ts";

export interface BuildOptions {
  readonly corpus: Corpus;
  readonly lm: LanguageModel;
  /**
   * Output folder for `compound_train.jsonl`, `compound_dev.jsonl` and `compound_test.jsonl`, each
   * if it has rows, and for `progress.jsonl`, from which a build resumes.
   */
  readonly folder: string;
  /** Maximum number of entities; a later build may use more. The paper used 10,000. */
  readonly entities: number;
  /** Maximum number of documents per entity. @default 10, as in the paper */
  readonly documents?: number;
  /** Maximum number of compound questions per entity. @default 1 */
  readonly perEntity?: number;
  /** Share of entities whose questions go to dev, in [0, 1]. @default 0.2 */
  readonly devShare?: number;
  /** The same for test; the two shares are at most 1 together. @default 0 */
  readonly testShare?: number;
  /** Entities processed concurrently. @default 4 */
  readonly concurrency?: number;
  /** @default 0 */
  readonly seed?: number;
  readonly signal?: AbortSignal;
  readonly onEntity?: (record: EntityRecord, done: number, all: number) => void;
}

export interface BuildSummary {
  readonly train: number;
  readonly dev: number;
  readonly test: number;
  readonly entities: number;
  readonly unusable: number;
  readonly refused: number;
}

/**
 * Builds HANRAG's compound benchmark (appendix B.1) from a corpus whose titles name entities. A
 * build that ended early resumes when started again and repeats no finished entity.
 *
 * @throws EspalierError `option-invalid`, `journal-mismatch`, or the LM's error
 */
export async function buildCompoundQuestions({
  corpus,
  lm,
  folder,
  entities: count,
  documents: most = 10,
  perEntity = 1,
  devShare = 0.2,
  testShare = 0,
  concurrency = 4,
  seed = 0,
  signal,
  onEntity = () => {},
}: BuildOptions): Promise<BuildSummary> {
  checkWhole({ entities: count, documents: most, perEntity, concurrency });
  checkShares({ devShare, testShare });
  const model = lm.identity.model;
  const identity = { corpus: corpus.checksum, model, seed, documents: most, perEntity };
  const progress = await progressFile(join(folder, "progress.jsonl"), identity);
  const records = new Map(progress.done.map((record) => [record.entity, record]));
  const entities = sampleEntities(corpus, { count, seed });
  const waiting = entities.filter(({ title }) => !records.has(title)).values();
  await using retriever = await bm25Index({ corpus });

  // A failing worker stops the others too; finished entities are kept.
  const failing = new AbortController();
  const ended = signal === undefined ? failing.signal : AbortSignal.any([signal, failing.signal]);
  const work = async (): Promise<void> => {
    for (const entity of waiting) {
      ended.throwIfAborted();
      const documents = await documentsOf(entity, { corpus, retriever, most });
      const composed = await composeQuestions(entity, documents, {
        lm,
        seed,
        most: perEntity,
        signal: ended,
      });
      const record: EntityRecord = { entity: entity.title, ...composed, rows: [...composed.rows] };
      await progress.append(record);
      records.set(entity.title, record);
      onEntity(record, records.size, entities.length);
    }
  };
  const workers = Array.from({ length: concurrency }, async () => {
    try {
      await work();
    } catch (error) {
      failing.abort(error);
      throw error;
    }
  });
  await Promise.allSettled(workers);
  // Report the first failure: the other workers only fail because of it.
  if (failing.signal.aborted) throw failing.signal.reason;

  const all = entities.flatMap(({ title }) => records.get(title) ?? []);
  const splitOf = (entity: string): "train" | "dev" | "test" => {
    const drawn = randomSource(seed, `split of ${entity}`).random();
    if (drawn < devShare) return "dev";
    return drawn < devShare + testShare ? "test" : "train";
  };
  const rowsOf = (split: ReturnType<typeof splitOf>) =>
    all.filter(({ entity }) => splitOf(entity) === split).flatMap(({ rows }) => rows);
  const [train, dev, test] = [rowsOf("train"), rowsOf("dev"), rowsOf("test")];
  await writeRows(join(folder, "compound_train.jsonl"), train);
  await writeRows(join(folder, "compound_dev.jsonl"), dev);
  await writeRows(join(folder, "compound_test.jsonl"), test);
  const sum = (of: (record: EntityRecord) => number): number =>
    all.reduce((total, record) => total + of(record), 0);
  return {
    train: train.length,
    dev: dev.length,
    test: test.length,
    entities: all.length,
    unusable: sum(({ unusable }) => unusable),
    refused: sum(({ refused }) => refused),
  };
}

/** Writes no file without rows, since readers treat an empty file as broken. */
async function writeRows(path: string, rows: readonly CompoundRow[]): Promise<void> {
  if (rows.length === 0) return rm(path, { force: true });
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

function checkWhole(options: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw new EspalierError({
      code: "option-invalid",
      problem: `Invalid \`${name}\``,
      expected: "a whole number of at least 1",
      got: String(value),
    });
  }
}

function checkShares(shares: Readonly<Record<"devShare" | "testShare", number>>): void {
  const { devShare, testShare } = shares;
  if (devShare >= 0 && testShare >= 0 && devShare + testShare <= 1) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: "Invalid `devShare` or `testShare`",
    expected: "numbers from 0 to 1, together at most 1",
    got: `${devShare} and ${testShare}`,
  });
}
