import { setImmediate as breathe } from "node:timers/promises";
import type { JsonObject, Passage } from "../../../../src/index.ts";
import type { Corpus, IndexProgress } from "../../../../src/retrieval/index.ts";
import { EspalierError } from "../../../../src/errors/index.ts";
import type { BlockPostings } from "./block-postings.ts";
import { blockPostings, blockSize } from "./block-postings.ts";
import type { HeldCorpus, IndexTables } from "./index-tables.ts";
import {
  heldCorpus,
  indexVersion,
  inOneTransaction,
  makeIndexTables,
  whileLocked,
} from "./index-tables.ts";
import type { PostgresPool, RunQuery } from "../server/postgres-pool.ts";

export interface StorePassagesOptions {
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a corpus and its words block by block, each in one transaction, and goes on after the last
 * whole block where an earlier build ended. One process builds; others wait for it.
 *
 * @throws EspalierError `index-unusable` where the schema holds another corpus
 */
export async function storePassages(
  pool: PostgresPool,
  tables: IndexTables,
  corpus: Corpus,
  { onProgress, signal }: StorePassagesOptions,
): Promise<void> {
  const { passages, checksum } = corpus;
  const total = passages.length;
  const build = async (run: RunQuery): Promise<void> => {
    let held = await heldCorpus(tables, run, pool.where);
    if (held === undefined) {
      await inOneTransaction(run, async () => {
        await makeIndexTables(tables, run);
        await run(`INSERT INTO ${tables.corpus} VALUES ($1, $2, $3, 0, 0, false)`, [
          indexVersion,
          checksum,
          total,
        ]);
      });
      held = { checksum, size: total, stored: 0, words: 0, isWhole: false };
    }
    refuseAnother(corpus, held, `${pool.where}, schema ${tables.schema}`);
    if (held.isWhole) return;
    for (let start = held.stored; start < total; start += blockSize) {
      onProgress?.({ step: "index", done: start, total });
      await breathe();
      signal?.throwIfAborted();
      await storeBlock(run, tables, start, passages.slice(start, start + blockSize));
    }
    await inOneTransaction(run, async () => {
      await run(`CREATE INDEX ON ${tables.passages} USING gin ((metadata::jsonb) jsonb_path_ops)`);
      await run(`UPDATE ${tables.corpus} SET is_whole = true`);
    });
    await run(`VACUUM ANALYZE ${tables.passages}`);
    await run(`VACUUM ANALYZE ${tables.postings}`);
    onProgress?.({ step: "index", done: total, total });
  };
  await pool.hold((run) => whileLocked(run, tables, () => build(run)), signal);
}

/** @throws EspalierError `index-unusable` where the schema holds another corpus */
export function refuseAnother(
  { passages, checksum }: Corpus,
  held: HeldCorpus,
  where: string,
): void {
  if (held.checksum === checksum) return;
  throw new EspalierError({
    code: "index-unusable",
    problem: "The schema holds the index of another corpus",
    expected: `${passages.length} passages, checksum ${checksum.slice(0, 12)}`,
    got: `${held.size} passages, checksum ${held.checksum.slice(0, 12)}`,
    where,
    fix: "Choose another `schema`, or drop this one to rebuild the index.",
  });
}

async function storeBlock(
  run: RunQuery,
  tables: IndexTables,
  start: number,
  passages: readonly Passage[],
): Promise<void> {
  const postings = blockPostings(passages);
  await inOneTransaction(run, async () => {
    for (const [at, part] of partsOf(passages)) {
      await run(
        `INSERT INTO ${tables.passages} (number, id, title, text, metadata)
         SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::json[])`,
        [
          part.map((_, index) => start + at + index),
          part.map(({ id }) => plain(id)),
          part.map(({ title }) => (title === undefined ? null : plain(title))),
          part.map(({ text }) => plain(text)),
          part.map(({ metadata }) => (metadata === undefined ? null : plainJson(metadata))),
        ],
      );
    }
    await storePostings(run, tables, start / blockSize, postings);
    await run(`UPDATE ${tables.corpus} SET stored = $1, words = words + $2`, [
      start + passages.length,
      postings.words,
    ]);
  });
}

/** PostgreSQL has no NUL in texts. It is no word character either. */
function plain(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}

/** As text, not as `jsonb`, which would order keys anew. */
function plainJson(metadata: JsonObject): string {
  return JSON.stringify(metadata, (_, value: unknown) =>
    typeof value === "string" ? plain(value.toWellFormed()) : value,
  );
}

async function storePostings(
  run: RunQuery,
  tables: IndexTables,
  block: number,
  { stems }: BlockPostings,
): Promise<void> {
  let names: string[] = [];
  let holders: number[] = [];
  let packed: string[] = [];
  let waiting = 0;
  const flush = async (): Promise<void> => {
    await run(
      `INSERT INTO ${tables.postings} (stem, block, holders, packed)
       SELECT stem, $2, holders, packed::bigint[]
       FROM unnest($1::text[], $3::int[], $4::text[]) AS given(stem, holders, packed)`,
      [names, block, holders, packed],
    );
    [names, holders, packed, waiting] = [[], [], [], 0];
  };
  for (const stem of stems) {
    names.push(stem.stem);
    holders.push(stem.holders);
    packed.push(`{${stem.packed.join(",")}}`);
    waiting += stem.holders;
    if (waiting >= numbersAtATime) await flush();
  }
  if (names.length > 0) await flush();
}

function* partsOf(passages: readonly Passage[]): Iterable<[number, readonly Passage[]]> {
  for (let at = 0; at < passages.length; at += rowsAtATime) {
    yield [at, passages.slice(at, at + rowsAtATime)];
  }
}

const rowsAtATime = 2_000;
const numbersAtATime = 200_000;
