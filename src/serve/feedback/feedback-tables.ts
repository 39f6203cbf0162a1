import type { DatabaseSync } from "node:sqlite";
import { secretMask, sha256, withoutImages } from "../../internal/index.ts";
import { redaction } from "../telemetry/server-log.ts";
import type { KeptCompletion, Rater, Rating } from "./kept-completion.ts";
import { exchangeHashes, hashesOfExchange } from "./said-texts.ts";
import type { Trace, Turn } from "../../contract/index.ts";
import type { SqliteFormat } from "../../storage/index.ts";
import { openSqlite } from "../../storage/index.ts";

/** How many answers of a version there are, and their ratings. */
export interface Tally {
  readonly model: string;
  readonly version: string;
  readonly completions: number;
  readonly up: number;
  readonly down: number;
}

/**
 * The writes to a feedback file. Each call runs one or more statements, without a transaction.
 */
export interface FeedbackTables {
  /** Keeps an answer; an answer that is already kept stays unchanged. */
  keep(completion: KeptCompletion): void;
  /**
   * Replaces an earlier rating.
   *
   * @param by the rater, who must own the answer
   * @returns `false` if the id is not kept, no longer kept, or belongs to another
   */
  rate(
    id: string,
    rating: Rating,
    when: { readonly atMs: number; readonly oldestMs: number },
    by: Rater,
  ): boolean;
  /** Erases answers before `oldestMs`, and all but the newest `rows`. */
  prune(keep: { readonly oldestMs?: number; readonly rows?: number }): void;
  tallies(): readonly Tally[];
}

export function feedbackTables(database: DatabaseSync, secrets: readonly string[]): FeedbackTables {
  const insert = database.prepare(
    `INSERT INTO completions (id, at_ms, user, model, version, question, history, answer, trace)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  );
  const insertTurn = database.prepare("INSERT INTO turns VALUES (?, ?, ?)");
  const insertSaid = database.prepare("INSERT INTO said VALUES (?, ?)");
  const trim = database.prepare(
    "DELETE FROM completions WHERE number <= (SELECT max(number) FROM completions) - ?",
  );
  const expire = database.prepare("DELETE FROM completions WHERE at_ms < ?");
  const rating = database.prepare(
    `INSERT INTO ratings (completion, at_ms, rating, comment, correction)
     SELECT number, :atMs, :rating, :comment, :correction
     FROM completions LEFT JOIN turns ON completion = number
     WHERE id = :id AND at_ms >= :oldestMs AND api_key IS :apiKey
       AND (user IS NULL OR user = :user)
     ON CONFLICT DO UPDATE SET at_ms = excluded.at_ms, rating = excluded.rating,
       comment = excluded.comment, correction = excluded.correction`,
  );
  const tallies = database.prepare("SELECT * FROM tallies ORDER BY model, version");
  const conversation = conversationOf(database);
  const masked = secretMask(secrets);
  const redacted = redaction(secrets);
  return {
    keep: ({ id, at, user, apiKey = null, model, version, trace, ...said }) => {
      const [question, answer] = [masked(said.question), masked(said.answer)];
      const history = said.history.map(({ speaker, text }) => ({ speaker, text: masked(text) }));
      const texts = [question, JSON.stringify(history), answer] as const;
      const traced = traceText(trace, { masked, redacted });
      const row = [id, at.getTime(), user, model, version, ...texts, traced] as const;
      const { changes, lastInsertRowid: number } = insert.run(...row);
      if (Number(changes) === 0) return;
      const own = said.conversation ?? null;
      const turn = { id, apiKey, user, conversation: own, history };
      insertTurn.run(number, apiKey, conversation(turn));
      for (const hash of hashesOfExchange(question, answer)) insertSaid.run(hash, number);
    },
    rate: (id, { rating: value, comment, correction }, { atMs, oldestMs }, by) => {
      const { changes } = rating.run({
        id,
        rating: value,
        comment: comment && masked(comment),
        correction: correction && masked(correction),
        atMs,
        oldestMs,
        ...by,
      });
      return Number(changes) > 0;
    },
    prune: ({ oldestMs, rows }) => {
      if (oldestMs !== undefined) expire.run(oldestMs);
      // Numbers rise by at least one, so at most this many rows are above it.
      if (rows !== undefined) trim.run(rows);
    },
    tallies: () =>
      tallies.all().map((row) => ({
        model: String(row["model"]),
        version: String(row["version"]),
        completions: Number(row["completions"]),
        up: Number(row["up"]),
        down: Number(row["down"]),
      })),
  };
}

/**
 * A trace as JSON. Secrets are redacted from failure messages, because servers quote their input.
 */
function traceText(
  trace: Trace,
  { masked, redacted }: Readonly<Record<"masked" | "redacted", (text: string) => string>>,
): string {
  // Only the input is read as an example.
  const kept = { ...withoutImages(trace), input: trace.input };
  return JSON.stringify(kept, (name, value: unknown) => {
    if (typeof value !== "string") return value;
    return name === "message" ? redacted(value) : masked(value);
  });
}

/** An answer about to be stored, with its secrets removed. */
interface NewTurn {
  readonly id: string;
  readonly apiKey: string | null;
  readonly user: string | null;
  /** The client's own id of the conversation. */
  readonly conversation: string | null;
  readonly history: readonly Turn[];
}

/**
 * Finds the conversation of an answer: the client's own id; or that of the last earlier answer of
 * the same API key that its history holds with its question, and no other conversation holds so; or
 * a new one.
 */
function conversationOf(database: DatabaseSync): (turn: NewTurn) => string {
  const saying = database.prepare(
    `SELECT DISTINCT turns.conversation
     FROM (SELECT completion FROM said WHERE hash = ? ORDER BY completion DESC LIMIT ${maxMatches}) AS found
     JOIN turns ON turns.completion = found.completion
     JOIN completions ON number = found.completion
     WHERE api_key IS ? AND (user IS NULL OR ? IS NULL OR user = ?) LIMIT 2`,
  );
  const earlier = ({ apiKey, user, history }: NewTurn): string | undefined => {
    for (const hash of exchangeHashes(history.slice(-lastTurns)).toReversed()) {
      const [found, other] = saying.all(hash, apiKey, user, user);
      if (found !== undefined && other === undefined) return String(found["conversation"]);
    }
    return undefined;
  };
  return (turn) => {
    if (turn.conversation !== null) {
      return shortHash(JSON.stringify(["client", turn.apiKey, turn.conversation]));
    }
    return earlier(turn) ?? shortHash(JSON.stringify(["first", turn.id]));
  };
}

/** The last turns identify a conversation, and bound the work. */
const lastTurns = 12;
/**
 * The newest answers with a text, of any API key: a text in more of them identifies little.
 */
const maxMatches = 256;

function shortHash(text: string): string {
  return sha256(text).slice(0, 32);
}

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
