import type { SqliteFormat } from "../../storage/index.ts";

/** Format of the file that `openServeState` opens. */
export const serveStateFormat: SqliteFormat = {
  name: "server state file",
  // "esps" in ASCII.
  applicationId: 0x65737073,
  version: 3,
  tables: `
    CREATE TABLE rollouts (
      id INTEGER PRIMARY KEY, model TEXT NOT NULL, baseline TEXT NOT NULL, candidate TEXT NOT NULL,
      since TEXT NOT NULL, canary REAL NOT NULL, shadow REAL NOT NULL, alpha REAL NOT NULL,
      tolerance REAL NOT NULL, started_ms INTEGER NOT NULL, ended_ms INTEGER, why TEXT,
      status TEXT NOT NULL CHECK (status IN ('running', 'rolled-back', 'ended')),
      key_share REAL NOT NULL,
      UNIQUE (model, baseline, candidate, since)
    );
    CREATE TABLE observations (
      number INTEGER PRIMARY KEY, rollout INTEGER NOT NULL REFERENCES rollouts, api_key BLOB NOT NULL,
      key BLOB NOT NULL, weight REAL NOT NULL, baseline REAL, candidate REAL,
      UNIQUE (rollout, api_key, key)
    );
    CREATE TABLE secret (only INTEGER PRIMARY KEY CHECK (only = 1), bytes BLOB NOT NULL);
  `,
  // A power cut may lose the last observations; the test then continues from the earlier ones.
  pragmas: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON",
  unusable: "serve-state-unusable",
  maker: "`espalier serve FILE --artifacts FOLDER` creates one.",
};
