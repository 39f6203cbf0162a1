import { checkCount } from "../../internal/index.ts";
import { inTransaction } from "../../storage/index.ts";
import type { ServerLog } from "../telemetry/server-log.ts";
import { canaryKey } from "../state/stored-canary.ts";
import type { Erased, ErasedSubject } from "./erase.ts";
import { erase } from "./erase.ts";
import { openDatabase, feedbackTables } from "./feedback-tables.ts";
import type { FeedbackWriter } from "./feedback-writer.ts";
import { feedbackWriter } from "./feedback-writer.ts";
import type { KeptCompletion, RatedCompletion, Rater, Rating } from "./kept-completion.ts";
import type { Preference } from "./preference.ts";
import { preferenceOf } from "./preference.ts";
import { askerIn, askerQuery, ratedCompletion, ratedQuery } from "./stored-rows.ts";

/** Answers that were given and their ratings, in one file. */
export interface FeedbackStore extends Disposable {
  /** Oldest first. */
  rated(): Iterable<RatedCompletion>;
  /** The keys under which rollouts count the subject; for an answer, as long as it is kept. */
  rolloutKeysOf(subject: ErasedSubject): readonly string[];
  /** Erases for good: nothing of it remains in the file. */
  erase(subject: ErasedSubject): Erased;
  /** Writes to the same file from its own thread and connection, as a server does. */
  writer(log: ServerLog): FeedbackWriter;
}

export interface FeedbackOptions {
  readonly path: string;
  /** @default false: a missing file is an error */
  readonly isMade?: boolean;
  /** Whole days, at least 1. @default 30 */
  readonly keepDays?: number;
  /** Answers, at least 1. @default 100,000 */
  readonly keepRows?: number;
  /** @default the system's clock */
  readonly now?: () => Date;
  /**
   * Texts that must not get into the file, for example the key of the LM's server. Pass the
   * server's secrets: otherwise its rollouts count a conversation that begins with one under
   * another key than `rolloutKeysOf` returns.
   * @default none
   */
  readonly secrets?: readonly string[];
  /**
   * Maximum answers in a server's write queue; further ones are counted but not kept.
   * @default 10,000
   */
  readonly maxWaitingRows?: number;
  /** Maximum bytes of that queue. @default 64 MiB */
  readonly maxWaitingBytes?: number;
}

/**
 * Opens a feedback file, for this process and others at the same time.
 *
 * @throws EspalierError `option-invalid`, `file-missing`, `feedback-unusable`
 */
export function openFeedback({
  path,
  isMade = false,
  keepDays = 30,
  keepRows = 100_000,
  now = () => new Date(),
  secrets = [],
  maxWaitingRows = 10_000,
  maxWaitingBytes = 64 * 2 ** 20,
}: FeedbackOptions): FeedbackStore {
  const counts = { keepDays, keepRows, maxWaitingRows, maxWaitingBytes };
  for (const [name, value] of Object.entries(counts)) checkCount(name, value);
  const database = openDatabase(path, isMade);
  const page = database.prepare(ratedQuery);
  const asked = database.prepare(`${askerQuery} WHERE id = ?`);
  const oldestMs = (): number => now().getTime() - keepDays * msPerDay;
  return {
    rated: function* rated() {
      // Read page by page: an open statement would block a server's writes.
      let after = 0;
      for (;;) {
        const rows = page.all(after);
        if (rows.length === 0) return;
        yield* rows.map((row) => ratedCompletion(row));
        after = Number(rows.at(-1)?.["number"]);
      }
    },
    rolloutKeysOf: (subject) => {
      if ("id" in subject) return asked.all(subject.id).map((row) => canaryKey(askerIn(row)));
      return [canaryKey({ user: subject.user, question: "", history: [] })];
    },
    erase: (subject) => erase(database, subject),
    writer: (log) =>
      feedbackWriter({
        path,
        keepRows,
        secrets,
        log,
        now,
        oldestMs,
        limits: { rows: maxWaitingRows, bytes: maxWaitingBytes },
      }),
    [Symbol.dispose]: () => {
      if (database.isOpen) database.close();
    },
  };
}

const msPerDay = 24 * 60 * 60 * 1_000;
