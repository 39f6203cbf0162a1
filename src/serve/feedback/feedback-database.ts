import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EspalierError } from "../../errors/index.ts";

const tables = `
  CREATE TABLE completions (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at_ms INTEGER NOT NULL, user TEXT,
    model TEXT NOT NULL, version TEXT NOT NULL, question TEXT NOT NULL, history TEXT NOT NULL,
    answer TEXT NOT NULL, trace TEXT NOT NULL
  );
  CREATE INDEX completions_by_time ON completions (at_ms);
  CREATE INDEX completions_by_user ON completions (user);
  CREATE TABLE ratings (
    completion INTEGER PRIMARY KEY REFERENCES completions ON DELETE CASCADE, at_ms INTEGER NOT NULL,
    rating TEXT NOT NULL CHECK (rating IN ('up', 'down')), comment TEXT, correction TEXT
  );
`;

/** "espf" in ASCII; tells our files from other SQLite files. */
const applicationId = 0x65737066;
const version = 1;

/**
 * Opens the file. What is deleted is overwritten, and there is no write-ahead log for it to live on in.
 *
 * @param isMade whether a file that is not there is made, readable for its owner only
 * @throws EspalierError `file-missing`, `feedback-unusable`
 */
export function openDatabase(path: string, isMade: boolean): DatabaseSync {
  if (!existsSync(path)) {
    if (!isMade) {
      throw new EspalierError({
        code: "file-missing",
        problem: "There is no file of feedback",
        where: path,
        fix: "`espalier serve FILE --feedback DB` makes one.",
      });
    }
    mkdirSync(dirname(path), { recursive: true });
  }
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 2_000 });
    database.exec("PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON");
    create(database, path);
    return database;
  } catch (error) {
    database?.close();
    if (EspalierError.isInstance(error)) throw error;
    throw unusable(path, error instanceof Error ? error.message : String(error), error);
  }
}

function create(database: DatabaseSync, path: string): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    const found = numberFrom(database, "PRAGMA application_id");
    const isEmpty = numberFrom(database, "SELECT count(*) FROM sqlite_master") === 0;
    if (found === 0 && isEmpty) {
      chmodSync(path, 0o600);
      database.exec(tables);
      database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
    } else if (found !== applicationId) throw unusable(path, "another program's database");
    else if (numberFrom(database, "PRAGMA user_version") !== version) {
      throw unusable(path, "feedback of another version");
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function numberFrom(database: DatabaseSync, query: string): number {
  return Number(Object.values(database.prepare(query).get() ?? {})[0]);
}

function unusable(path: string, got: string, cause?: unknown): EspalierError {
  return new EspalierError({
    code: "feedback-unusable",
    problem: "The file of feedback cannot be used",
    got,
    where: path,
    fix: "Name another file.",
    cause,
  });
}
