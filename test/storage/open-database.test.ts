import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { DatabaseSchema, UnusableDatabase } from "../../src/storage/index.ts";
import { identify, openDatabase } from "../../src/storage/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const things: DatabaseSchema = {
  applicationId: 0x74657374,
  version: 2,
  tables: "CREATE TABLE things (name TEXT); CREATE TABLE more (name TEXT)",
  pragmas: "PRAGMA journal_mode = WAL",
};

class Refused extends Error {
  readonly found: UnusableDatabase;
  constructor(found: UnusableDatabase) {
    super(found.kind);
    this.found = found;
  }
}

const open = (path: string, schema = things): DatabaseSync =>
  openDatabase(path, schema, { timeoutMs: 0, refused: (found) => new Refused(found) });

const tablesOf = (database: DatabaseSync): unknown[] =>
  database
    .prepare("SELECT name FROM sqlite_master ORDER BY name")
    .all()
    .map(({ name }) => name);

test("a file that is not there is made with its folder, for its owner only", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "kept", "things.sqlite");
  open(path).close();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder.path, "kept"))).mode & 0o777).toBe(0o700);
  using again = open(path);
  expect(identify(again, things)).toEqual({ kind: "ours" });
});

test("an empty file becomes one of ours, and is then its owner's only", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "things.sqlite");
  await writeFile(path, "", { mode: 0o644 });
  using database = open(path);
  expect(tablesOf(database)).toEqual(["more", "things"]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test.each<[what: string, statements: string, found: UnusableDatabase]>([
  ["another program's tables", "CREATE TABLE people (name TEXT)", { kind: "foreign" }],
  [
    "another program's mark, without tables",
    "PRAGMA application_id = 7; PRAGMA user_version = 2",
    { kind: "foreign" },
  ],
  [
    "ours in a later version",
    `PRAGMA application_id = ${things.applicationId}; PRAGMA user_version = 3`,
    { kind: "other-version", version: 3 },
  ],
  [
    "ours in an earlier version",
    `PRAGMA application_id = ${things.applicationId}; PRAGMA user_version = 1`,
    { kind: "other-version", version: 1 },
  ],
])("a file with %s is refused, and left as it is to the byte", async (_what, statements, found) => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "things.sqlite");
  const other = new DatabaseSync(path);
  other.exec(statements);
  other.close();
  const before = await readFile(path);
  expect(() => open(path)).toThrow(new Refused(found));
  expect((await readFile(path)).equals(before)).toBe(true);
});

test("while another connection holds the lock, a new file is not made, and the file is busy", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "things.sqlite");
  const holder = new DatabaseSync(path);
  holder.exec("BEGIN IMMEDIATE");
  expect(() => open(path)).toThrow("database is locked");
  holder.exec("ROLLBACK");
  holder.close();
  open(path).close();
});
