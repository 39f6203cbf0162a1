import type { DatabaseSync } from "node:sqlite";

/** Distinguishes files of one kind from all other SQLite files. */
export interface SqliteIdentity {
  /** Four letters as a number. */
  readonly applicationId: number;
  /** Changes with the tables and with the meaning of their content. */
  readonly version: number;
}

/** What a SQLite file turns out to be when a file of one kind is expected. */
export type FoundDatabase =
  | { readonly kind: "ours" }
  | { readonly kind: "other-version"; readonly version: number }
  /** Nothing was ever stored in it. */
  | { readonly kind: "empty" }
  | { readonly kind: "foreign" };

/** Needs no write lock and changes nothing. */
export function identify(
  database: DatabaseSync,
  { applicationId, version }: SqliteIdentity,
): FoundDatabase {
  const found = numberFrom(database, "PRAGMA application_id");
  if (found === applicationId) {
    const foundVersion = numberFrom(database, "PRAGMA user_version");
    return foundVersion === version
      ? { kind: "ours" }
      : { kind: "other-version", version: foundVersion };
  }
  const isEmpty = found === 0 && numberFrom(database, "SELECT count(*) FROM sqlite_master") === 0;
  return { kind: isEmpty ? "empty" : "foreign" };
}

/** Marks a database as one of this kind and version. */
export function markAs(database: DatabaseSync, { applicationId, version }: SqliteIdentity): void {
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
}

function numberFrom(database: DatabaseSync, query: string): number {
  return Number(Object.values(database.prepare(query).get() ?? {})[0]);
}
