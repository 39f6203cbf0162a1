import { join } from "node:path";
import type { Table } from "@lancedb/lancedb";
import { EspalierError } from "../../../src/errors/index.ts";
import { systemClock } from "../../../src/internal/index.ts";
import { waitForLock } from "../../../src/storage/index.ts";
import type { LanceConnection } from "./lance-connection.ts";
import { orUnusable } from "./lance-connection.ts";

/**
 * Lets one process at a time write to an index in a folder; others wait until it has ended, however
 * it ends. An object store has no locks: there `addedRows` notices another builder.
 */
export async function whileLocked<TResult>(
  { where, folder }: LanceConnection,
  signal: AbortSignal | undefined,
  work: () => Promise<TResult>,
): Promise<TResult> {
  if (folder === undefined) return work();
  using _lock = await waitForLock(join(folder, "espalier.lock"), {
    patienceMs: Number.POSITIVE_INFINITY,
    clock: { ...systemClock, sleep: (ms) => systemClock.sleep(ms, signal) },
    refused: (why, cause) =>
      new EspalierError({
        code: "index-unusable",
        problem: "The index folder cannot be locked for building",
        got: why.kind === "held" ? why.holder : why.problem,
        where,
        cause,
      }),
  });
  return await work();
}

/**
 * Adds rows to a table that must have as many as this process knows of, before and after; makes the
 * table if there is none.
 *
 * @throws EspalierError `index-unusable` where another process adds rows, too
 */
export async function addedRows(
  place: LanceConnection,
  table: Table | undefined,
  rows: Record<string, unknown>[],
  { name, known }: { readonly name: string; readonly known: number },
): Promise<Table> {
  return orUnusable(place.where, async () => {
    if (table === undefined) {
      const other = await place.find(name);
      if (other === undefined) return place.connection.createTable(name, rows);
      throw anotherBuilder(
        place,
        `${await other.countRows()} rows in a table that should not exist yet`,
      );
    }
    await table.checkoutLatest();
    const before = await table.countRows();
    if (before !== known) throw anotherBuilder(place, `${before} rows, not ${known}`);
    await table.add(rows);
    const after = await table.countRows();
    if (after === known + rows.length) return table;
    throw anotherBuilder(place, `${after} rows, not ${known + rows.length}`);
  });
}

function anotherBuilder({ where }: LanceConnection, got: string): EspalierError {
  return new EspalierError({
    code: "index-unusable",
    problem: "Another process is building the same index",
    expected: "one builder at a time: object stores have no locks",
    got,
    where,
    fix: "Wait for the other build to finish. If both have stopped, remove the index and build again.",
  });
}
