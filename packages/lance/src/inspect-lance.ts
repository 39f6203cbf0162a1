import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Passage } from "../../../src/index.ts";
import type { IndexContents } from "../../../src/retrieval/index.ts";
import { passageOfRecord } from "../../../src/retrieval/index.ts";
import { jsonOrUndefined } from "../../../src/internal/index.ts";
import type { LanceConnection } from "./lance-connection.ts";
import { orUnusable } from "./lance-connection.ts";
import type { LancePassages } from "./lance-passages.ts";
import { lanceVersion } from "./lance-passages.ts";

/** The content of an index in LanceDB. */
export interface LanceReport extends IndexContents {
  readonly uri: string;
  readonly version: number;
}

/** The table that says which embedder made which table of vectors. */
export const embeddingsTable = "embeddings";

export type Row = Readonly<Record<string, unknown>>;

export async function inspectLance(
  place: LanceConnection,
  { table, checksum, size }: LancePassages,
  exampleCount = 3,
): Promise<LanceReport> {
  return orUnusable(place.where, async () => {
    const first = await table.query().where(`number < ${exampleCount}`).toArray();
    return {
      uri: place.where,
      version: lanceVersion,
      checksum,
      size,
      titled: await table.countRows("title != ''"),
      fields: await fieldsOf({ table }),
      ...(place.folder !== undefined && { bytes: await bytesIn(place.folder) }),
      embeddings: await embeddingsIn(place),
      examples: first
        .toSorted((left: Row, right: Row) => Number(left["number"]) - Number(right["number"]))
        .map(storedPassage),
    };
  });
}

async function fieldsOf({ table }: Pick<LancePassages, "table">): Promise<Record<string, number>> {
  const counts = new Map<string, number>();
  for await (const batch of table.query().where("metadata != ''").select(["metadata"])) {
    for (const metadata of batch.getChild("metadata") ?? []) {
      for (const name of Object.keys(jsonOrUndefined(String(metadata)) ?? {})) {
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
  }
  return Object.fromEntries([...counts].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

async function embeddingsIn(place: LanceConnection): Promise<IndexContents["embeddings"]> {
  const stored = await (await place.find(embeddingsTable))?.query().toArray();
  return Promise.all(
    (stored ?? []).map(async (row: Row) => ({
      provider: String(row["provider"]),
      model: String(row["model"]),
      dimension: Number(row["dimension"]),
      embedded: (await (await place.find(String(row["name"])))?.countRows()) ?? 0,
    })),
  );
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) =>
      // Another process may have replaced a file meanwhile.
      stat(join(parentPath, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

export function storedPassage({ id, title, text, metadata }: Row): Passage {
  return passageOfRecord({
    id,
    title: title === "" ? null : title,
    text,
    metadata: metadata === "" ? null : metadata,
  });
}
