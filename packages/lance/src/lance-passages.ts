import type { Table } from "@lancedb/lancedb";
import { EspalierError } from "../../../src/errors/index.ts";
import type { Corpus, IndexProgress } from "../../../src/retrieval/index.ts";
import type { LanceConnection } from "./lance-connection.ts";
import { addedRows, whileLocked } from "./lance-builder.ts";
import { orUnusable } from "./lance-connection.ts";

export interface LancePassages {
  readonly table: Table;
  /** The corpus's checksum. */
  readonly checksum: string;
  /** Number of passages. */
  readonly size: number;
}

/** Increases with changes to the tables or to anything that affects search results. */
export const lanceVersion = 1;

interface LancePassagesOptions {
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the passages of a place, and writes those that are missing batch by batch: after a kill it
 * goes on where the table ends. One process builds; in a folder, others wait for it.
 *
 * @throws EspalierError `index-unusable` for a place of another corpus or version, or without a
 * whole index where no corpus is given, or where another process builds in an object store
 */
export async function lancePassages(
  place: LanceConnection,
  corpus: Corpus | undefined,
  options: LancePassagesOptions,
): Promise<LancePassages> {
  const found = await storedPassages(place, corpus);
  if (isWhole(found)) return found;
  if (corpus === undefined) {
    const { stored, size } = found;
    const got = size === undefined ? "nothing" : `${stored} of ${size} passages`;
    throw unusable(place, stored === size ? "no word index of the passages" : got);
  }
  return whileLocked(place, options.signal, async () => {
    const left = await storedPassages(place, corpus);
    return isWhole(left) ? left : buildPassages(place, corpus, left, options);
  });
}

interface StoredPassages {
  readonly table: Table | undefined;
  readonly stored: number;
  /** Whether their words are indexed. */
  readonly isIndexed: boolean;
  readonly checksum: string | undefined;
  readonly size: number | undefined;
}

function isWhole(found: StoredPassages): found is StoredPassages & LancePassages {
  return found.table !== undefined && found.stored === found.size && found.isIndexed;
}

async function storedPassages(
  place: LanceConnection,
  corpus: Corpus | undefined,
): Promise<StoredPassages> {
  const held = await heldCorpus(place);
  if (held !== undefined && corpus !== undefined && held.checksum !== corpus.checksum) {
    throw new EspalierError({
      code: "index-unusable",
      problem: "The location holds the index of another corpus",
      expected: `${corpus.passages.length} passages, checksum ${corpus.checksum.slice(0, 12)}`,
      got: `${held.size} passages, checksum ${held.checksum.slice(0, 12)}`,
      where: place.where,
      fix: "Choose another location, or remove this one to rebuild the index.",
    });
  }
  const table = held === undefined ? undefined : await place.find("passages");
  const indexed = (await table?.listIndices())?.flatMap(({ columns }) => columns) ?? [];
  const stored = (await table?.countRows()) ?? 0;
  return {
    table,
    stored,
    isIndexed: indexed.includes("document"),
    checksum: held?.checksum,
    size: held?.size,
  };
}

async function buildPassages(
  place: LanceConnection,
  { checksum, passages }: Corpus,
  left: StoredPassages,
  { onProgress, signal }: LancePassagesOptions,
): Promise<LancePassages> {
  const size = passages.length;
  let { table } = left;
  if (left.size === undefined) {
    await orUnusable(place.where, () =>
      place.connection.createTable("corpus", [{ version: lanceVersion, checksum, size }]),
    );
  }
  if (left.stored > size) throw unusable(place, `${left.stored} of ${size} passages`);
  for (let start = left.stored; start < size; start += rowsAtATime) {
    onProgress?.({ step: "index", done: start, total: size });
    signal?.throwIfAborted();
    const rows = passages.slice(start, start + rowsAtATime).map((passage, index) => ({
      number: start + index,
      id: passage.id,
      // LanceDB infers no type from a batch of nulls alone.
      title: passage.title ?? "",
      text: passage.text,
      metadata: passage.metadata === undefined ? "" : JSON.stringify(passage.metadata),
      document: `${passage.title ?? ""}\n${passage.text}`,
    }));
    table = await addedRows(place, table, rows, { name: "passages", known: start });
  }
  const whole = table;
  if (whole === undefined) throw unusable(place, "nothing");
  await orUnusable(place.where, async () => {
    await whole.optimize();
    await whole.createIndex("number", { config: place.lance.Index.btree() });
    await whole.createIndex("document", {
      config: place.lance.Index.fts({
        withPosition: false,
        baseTokenizer: "simple",
        language: "English",
        stem: true,
        lowercase: true,
        asciiFolding: true,
        removeStopWords: false,
      }),
    });
  });
  onProgress?.({ step: "index", done: size, total: size });
  return { table: whole, checksum, size };
}

async function heldCorpus(
  place: LanceConnection,
): Promise<{ readonly checksum: string; readonly size: number } | undefined> {
  const table = await place.find("corpus");
  const [row] = (await table?.query().limit(1).toArray()) ?? [];
  if (row === undefined) return undefined;
  if (Number(row["version"]) !== lanceVersion) {
    throw unusable(place, `a version ${String(row["version"])} index`);
  }
  return { checksum: String(row["checksum"]), size: Number(row["size"]) };
}

function unusable(place: LanceConnection, got: string): EspalierError {
  return new EspalierError({
    code: "index-unusable",
    problem: "The location holds no complete index that this version can use",
    expected: `a version ${lanceVersion} index, or a corpus to build one from`,
    got,
    where: place.where,
    fix: "Pass the corpus: an interrupted build continues where it stopped.",
  });
}

const rowsAtATime = 16_384;
