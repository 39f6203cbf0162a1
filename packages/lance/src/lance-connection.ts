import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { Connection, Table } from "@lancedb/lancedb";
import { EspalierError, messageOf } from "../../../src/errors/index.ts";

export type Lance = typeof import("@lancedb/lancedb");

export interface LanceConnection {
  readonly lance: Lance;
  readonly connection: Connection;
  /** Absent for a place in an object store. */
  readonly folder: string | undefined;
  /** As given, for errors. */
  readonly where: string;
  /** Opens a table; `undefined` if there is none. */
  find(name: string): Promise<Table | undefined>;
}

/**
 * Opens a folder or a place in an object store through the package `@lancedb/lancedb`, which is
 * loaded only now.
 *
 * @throws EspalierError `index-unusable`
 */
export async function lanceConnection(
  uri: string,
  storageOptions: Readonly<Record<string, string>>,
): Promise<LanceConnection> {
  giveLanceThreads();
  const lance = await import("@lancedb/lancedb");
  // A plain word would be taken for a service's database.
  const folder = uri.includes("://") ? undefined : resolve(uri);
  const connection = await orUnusable(uri, () => lance.connect(folder ?? uri, { storageOptions }));
  return {
    lance,
    connection,
    folder,
    where: uri,
    find: async (name) => {
      const names = await orUnusable(uri, () => connection.tableNames());
      if (!names.includes(name)) return undefined;
      return orUnusable(uri, () =>
        connection.openTable(name).catch((error: unknown) => {
          // Its folder is there, but not yet its first version, or none if its maker was killed.
          if (!messageOf(error).includes("was not found")) throw error;
          return undefined;
        }),
      );
    },
  };
}

/**
 * Lance writes the postings of a large keyword index with two tasks that wait for each other, from
 * one pool, and gives that pool all cores but two: with few cores the build hangs for good
 * (lancedb/lancedb issue 3568; in 0.39 still). Read by Lance when it first needs the pool.
 */
function giveLanceThreads(): void {
  // oxlint-disable-next-line no-restricted-globals, no-restricted-properties -- Lance has no other way to be told.
  process.env["LANCE_CPU_THREADS"] ??= String(Math.max(minThreads, availableParallelism()));
}

const minThreads = 4;

/** Converts the library's errors to `index-unusable`. */
export async function orUnusable<TResult>(
  where: string,
  work: () => Promise<TResult>,
): Promise<TResult> {
  try {
    return await work();
  } catch (error) {
    if (EspalierError.isInstance(error)) throw error;
    throw new EspalierError({
      code: "index-unusable",
      problem: "LanceDB cannot use the index",
      got: messageOf(error).split("\n")[0] ?? "",
      where,
      fix: "Check the path, the store's credentials and the free space.",
      cause: error,
    });
  }
}
