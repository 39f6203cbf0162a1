import type { DatabaseSync } from "node:sqlite";
import type { SqliteFormat } from "../../storage/index.ts";
import { openSqlite } from "../../storage/index.ts";

/** Triggers keep the tallies, so that a scrape of metrics never reads all answers. */
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
  CREATE TABLE turns (
    completion INTEGER PRIMARY KEY REFERENCES completions ON DELETE CASCADE,
    api_key TEXT, conversation TEXT NOT NULL
  );
  CREATE INDEX turns_by_conversation ON turns (conversation);
  CREATE TABLE said (
    hash INTEGER NOT NULL, completion INTEGER NOT NULL REFERENCES completions ON DELETE CASCADE,
    PRIMARY KEY (hash, completion)
  ) WITHOUT ROWID;
  CREATE INDEX said_by_completion ON said (completion);
  CREATE TABLE tallies (
    model TEXT NOT NULL, version TEXT NOT NULL, completions INTEGER NOT NULL, up INTEGER NOT NULL,
    down INTEGER NOT NULL, PRIMARY KEY (model, version)
  ) WITHOUT ROWID;
  CREATE TRIGGER completion_kept AFTER INSERT ON completions BEGIN
    INSERT INTO tallies VALUES (NEW.model, NEW.version, 1, 0, 0)
      ON CONFLICT DO UPDATE SET completions = completions + 1;
  END;
  CREATE TRIGGER completion_erased BEFORE DELETE ON completions BEGIN
    UPDATE tallies SET completions = completions - 1,
      up = up - (SELECT count(*) FROM ratings WHERE completion = OLD.number AND rating = 'up'),
      down = down - (SELECT count(*) FROM ratings WHERE completion = OLD.number AND rating = 'down')
      WHERE model = OLD.model AND version = OLD.version;
    DELETE FROM tallies WHERE completions = 0 AND model = OLD.model AND version = OLD.version;
  END;
  CREATE TRIGGER rating_given AFTER INSERT ON ratings BEGIN
    UPDATE tallies SET up = up + (NEW.rating = 'up'), down = down + (NEW.rating = 'down')
      WHERE (model, version) = (SELECT model, version FROM completions WHERE number = NEW.completion);
  END;
  CREATE TRIGGER rating_changed AFTER UPDATE OF rating ON ratings BEGIN
    UPDATE tallies SET up = up + (NEW.rating = 'up') - (OLD.rating = 'up'),
      down = down + (NEW.rating = 'down') - (OLD.rating = 'down')
      WHERE (model, version) = (SELECT model, version FROM completions WHERE number = NEW.completion);
  END;
`;

export const feedbackFormat: SqliteFormat = {
  name: "feedback file",
  // "espf" in ASCII.
  applicationId: 0x65737066,
  version: 3,
  tables,
  pragmas: "PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON",
  unusable: "feedback-unusable",
  maker: "`espalier serve FILE --feedback DB` creates one.",
};

/**
 * Opens the file. Deleted data is overwritten, and without a write-ahead log no copy of it remains.
 *
 * @param isMade whether to make a missing file
 * @throws EspalierError `file-missing`, `feedback-unusable`
 */
export function openDatabase(path: string, isMade: boolean, timeoutMs?: number): DatabaseSync {
  return openSqlite(path, feedbackFormat, isMade, timeoutMs);
}
