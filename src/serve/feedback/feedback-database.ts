import type { DatabaseSync } from "node:sqlite";
import type { SqliteFormat } from "../open-sqlite.ts";
import { openSqlite } from "../open-sqlite.ts";

const format: SqliteFormat = {
  name: "file of feedback",
  // "espf" in ASCII.
  applicationId: 0x65737066,
  version: 1,
  tables: `
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
  `,
  pragmas: "PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON",
  unusable: "feedback-unusable",
  maker: "`espalier serve FILE --feedback DB` makes one.",
};

/**
 * Opens the file. What is deleted is overwritten, and there is no write-ahead log for it to live on in.
 *
 * @param isMade whether a file that is not there is made
 * @throws EspalierError `file-missing`, `feedback-unusable`
 */
export function openDatabase(path: string, isMade: boolean): DatabaseSync {
  return openSqlite(path, format, isMade);
}
