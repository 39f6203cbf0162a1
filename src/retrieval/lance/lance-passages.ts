import type { Table } from "@lancedb/lancedb";
import { EspalierError } from "../../errors/index.ts";
import type { Corpus } from "../corpus/corpus.ts";
import type { IndexProgress } from "../index-file/index-progress.ts";
import type { LanceConnection } from "./lance-connection.ts";
import { orUnusable } from "./lance-connection.ts";

export interface LancePassages {
  readonly table: Table;
  /** The corpus's checksum. */
  readonly checksum: string;
  /** Number of passages. */
  readonly size: number;
}

/** Increases with changes to the tables or to anything that affects search results. */
const version = 1;

/**
 * Opens the passages of a place, and writes those that are missing batch by batch: after a kill it
 * goes on where the table ends. Only one process may build at a time.
 *
 * @throws EspalierError `index-unusable` for a place of another corpus or version, or without a
 * whole index where no corpus is given
 */
export async function lancePassages(
  place: LanceConnection,
  corpus: Corpus | undefined,
  {
    onProgress,
    signal,
  }: {
    readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<LancePassages> {
  const held = await heldCorpus(place);
  if (held === undefined && corpus === undefined) throw unusable(place, "nothing");
  if (held !== undefined && corpus !== undefined && held.checksum !== corpus.checksum) {
    throw new EspalierError({
      code: "index-unusable",
      problem: "The place holds the index of another corpus",
      expected: `${corpus.passages.length} passages, checksum ${corpus.checksum.slice(0, 12)}`,
      got: `${held.size} passages, checksum ${held.checksum.slice(0, 12)}`,
      where: place.where,
      fix: "Choose another place, or remove this one to rebuild the index.",
    });
  }
  if (held === undefined && corpus !== undefined) {
    const { checksum, passages } = corpus;
    await orUnusable(place.where, () =>
      place.connection.createTable("corpus", [{ version, checksum, size: passages.length }]),
    );
  }
  const { checksum, size } = held ?? {
    checksum: corpus?.checksum ?? "",
    size: corpus?.passages.length ?? 0,
  };
  let table = await place.find("passages");
  const stored = table === undefined ? 0 : await table.countRows();
  const indexed = new Set((await table?.listIndices())?.flatMap(({ columns }) => columns));
  if (table !== undefined && stored === size && indexed.has("document")) {
    return { table, checksum, size };
  }
  if (corpus === undefined || stored > size) {
    throw unusable(place, `${stored} of ${size} passages, or no index of their words`);
  }
  for (let start = stored; start < size; start += rowsAtATime) {
    onProgress?.({ step: "index", done: start, total: size });
    signal?.throwIfAborted();
    const rows = corpus.passages.slice(start, start + rowsAtATime).map((passage, index) => ({
      number: start + index,
      id: passage.id,
      // LanceDB infers no type from a batch of nulls alone.
      title: passage.title ?? "",
      text: passage.text,
      metadata: passage.metadata === undefined ? "" : JSON.stringify(passage.metadata),
      document: `${passage.title ?? ""}\n${passage.text}`,
    }));
    const known = table;
    table = await orUnusable(place.where, async () => {
      if (known === undefined) return place.connection.createTable("passages", rows);
      await known.add(rows);
      return known;
    });
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
  if (Number(row["version"]) !== version) {
    throw unusable(place, `an index of version ${String(row["version"])}`);
  }
  return { checksum: String(row["checksum"]), size: Number(row["size"]) };
}

function unusable(place: LanceConnection, got: string): EspalierError {
  return new EspalierError({
    code: "index-unusable",
    problem: "The place holds no whole index that this version can use",
    expected: `an index of version ${version}, or a corpus to build one from`,
    got,
    where: place.where,
    fix: "Pass the corpus: a build that was interrupted goes on where it ended.",
  });
}

const rowsAtATime = 16_384;
