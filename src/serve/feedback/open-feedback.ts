import type { Turn } from "../../contract/index.ts";
import { secretMask } from "../../internal/index.ts";
import { redaction } from "../http/redaction.ts";
import { rolloutKey } from "../rollout/rollout-key.ts";
import type { Erased, ErasedSubject } from "./erase.ts";
import { erase } from "./erase.ts";
import { openDatabase } from "./feedback-database.ts";
import type { KeptCompletion, RatedCompletion, Rating } from "./kept-completion.ts";
import { traceText } from "./trace-text.ts";
import type { Proportion } from "./wilson-interval.ts";
import { wilsonInterval } from "./wilson-interval.ts";

/** How one version of a model is liked. */
export interface Preference {
  readonly model: string;
  readonly version: string;
  readonly completions: number;
  readonly up: number;
  readonly down: number;
  /** Share of the ratings that are `up`; `null` without ratings. */
  readonly preference: Proportion | null;
}

/** Answers that were given and what people thought of them, in one file. */
export interface FeedbackStore extends Disposable {
  keep(completion: KeptCompletion): void;
  /** Replaces an earlier rating; `false` for an id that is not kept, or not any more. */
  rate(id: string, rating: Rating): boolean;
  /** Erases what is older or more than is to be kept. */
  prune(): void;
  /** By model and version. */
  preferences(): readonly Preference[];
  /** Oldest first. */
  rated(): Iterable<RatedCompletion>;
  /** What rollouts count the subject as; for an answer, as long as it is kept. */
  rolloutKeysOf(subject: ErasedSubject): readonly string[];
  /** Erases for good: the file holds none of it afterwards. */
  erase(subject: ErasedSubject): Erased;
}

export interface FeedbackOptions {
  readonly path: string;
  /** @default false, and a file that is not there is an error */
  readonly isMade?: boolean;
  /** @default 30 */
  readonly keepDays?: number;
  /** @default 100,000 */
  readonly keepRows?: number;
  /** @default the system's */
  readonly now?: () => Date;
  /**
   * Texts that must not get into the file, as the key of the LM's server: the server's, or its rollouts
   * count a conversation that begins with one as another than `rolloutKeysOf` does. @default none
   */
  readonly secrets?: readonly string[];
}

/**
 * Opens a file of feedback, for this process and others beside it.
 *
 * @throws EspalierError `file-missing`, `feedback-unusable`
 */
export function openFeedback({
  path,
  isMade = false,
  keepDays = 30,
  keepRows = 100_000,
  now = () => new Date(),
  secrets = [],
}: FeedbackOptions): FeedbackStore {
  const database = openDatabase(path, isMade);
  const insert = database.prepare(
    `INSERT INTO completions (id, at_ms, user, model, version, question, history, answer, trace)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const trim = database.prepare(
    `DELETE FROM completions WHERE number <= (SELECT max(number) FROM completions) - ?`,
  );
  const rating = database.prepare(
    `INSERT INTO ratings (completion, at_ms, rating, comment, correction)
     SELECT number, ?, ?, ?, ? FROM completions WHERE id = ? AND at_ms >= ?
     ON CONFLICT DO UPDATE SET at_ms = excluded.at_ms, rating = excluded.rating,
       comment = excluded.comment, correction = excluded.correction`,
  );
  const page = database.prepare(ratedQuery);
  const asked = database.prepare("SELECT user, question, history FROM completions WHERE id = ?");
  const masked = secretMask(secrets);
  const redacted = redaction(secrets);
  const oldestMs = (): number => now().getTime() - keepDays * msPerDay;
  return {
    keep: ({ id, at, user, model, version, question, history, answer, trace }) => {
      const turns = history.map(({ speaker, text }) => ({ speaker, text: masked(text) }));
      const said = [masked(question), JSON.stringify(turns), masked(answer)] as const;
      const traced = traceText(trace, { masked, redacted });
      const atMs = at.getTime();
      insert.run(id, atMs, user, model, version, ...said, traced);
      // Numbers rise by at least one: at most so many rows are above this.
      trim.run(keepRows);
    },
    rate: (id, { rating: value, comment, correction }) => {
      const { changes } = rating.run(
        now().getTime(),
        value,
        comment && masked(comment),
        correction && masked(correction),
        id,
        oldestMs(),
      );
      return Number(changes) > 0;
    },
    prune: () => {
      database.prepare("DELETE FROM completions WHERE at_ms < ?").run(oldestMs());
      trim.run(keepRows);
    },
    preferences: () =>
      database
        .prepare(preferenceQuery)
        .all()
        .map((row) => {
          const [up, down] = [Number(row["up"]), Number(row["down"])];
          return {
            model: String(row["model"]),
            version: String(row["version"]),
            completions: Number(row["completions"]),
            up,
            down,
            preference: wilsonInterval(up, up + down),
          };
        }),
    rated: function* rated() {
      // Page by page: an open statement would keep a server from writing.
      let after = 0;
      for (;;) {
        const rows = page.all(after);
        if (rows.length === 0) return;
        yield* rows.map((row) => ratedCompletion(row));
        after = Number(rows.at(-1)?.["number"]);
      }
    },
    rolloutKeysOf: (subject) => {
      if ("user" in subject) return [rolloutKey({ ...subject, question: "", history: [] })];
      return asked.all(subject.id).map((row) => rolloutKey(askedIn(row)));
    },
    erase: (subject) => erase(database, subject),
    [Symbol.dispose]: () => {
      if (database.isOpen) database.close();
    },
  };
}

const msPerDay = 24 * 60 * 60 * 1_000;

const preferenceQuery = `
  SELECT model, version, count(*) AS completions, count(*) FILTER (WHERE rating = 'up') AS up,
    count(*) FILTER (WHERE rating = 'down') AS down
  FROM completions LEFT JOIN ratings ON completion = number
  GROUP BY model, version ORDER BY model, version
`;
const ratedQuery = `
  SELECT completions.*, rating, comment, correction
  FROM completions JOIN ratings ON completion = number
  WHERE number > ? ORDER BY number LIMIT 50
`;

function askedIn(row: Readonly<Record<string, unknown>>): Parameters<typeof rolloutKey>[0] {
  const user = row["user"];
  return {
    ...(typeof user === "string" && { user }),
    question: String(row["question"]),
    history: JSON.parse(String(row["history"])) as readonly Turn[],
  };
}

function ratedCompletion(row: Readonly<Record<string, unknown>>): RatedCompletion {
  const optional = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    id: String(row["id"]),
    at: new Date(Number(row["at_ms"])),
    user: optional(row["user"]),
    model: String(row["model"]),
    version: String(row["version"]),
    question: String(row["question"]),
    history: JSON.parse(String(row["history"])) as readonly Turn[],
    answer: String(row["answer"]),
    trace: JSON.parse(String(row["trace"])) as RatedCompletion["trace"],
    rating: row["rating"] === "up" ? "up" : "down",
    comment: optional(row["comment"]),
    correction: optional(row["correction"]),
  };
}
