import { checkCount } from "../../internal/index.ts";
import { inTransaction, rewriteDatabase } from "../../storage/index.ts";
import type { ServerLog } from "../telemetry/server-log.ts";
import { canaryKey } from "../state/stored-canary.ts";
import { openDatabase } from "./feedback-tables.ts";
import type { FeedbackWriter } from "./feedback-writer.ts";
import { feedbackWriter } from "./feedback-writer.ts";
import type { RatedCompletion } from "./kept-completion.ts";
import { askerIn, askerQuery, ratedCompletion, ratedQuery, turnsIn } from "./stored-rows.ts";
import type { DatabaseSync } from "node:sqlite";
import { hashesOfExchange, hashesOfTurns } from "./said-texts.ts";

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

/**
 * Whose data to erase: one answer's, or all of a user's, across all API keys unless one is named.
 */
export type ErasedSubject =
  | { readonly id: string }
  | { readonly user: string; readonly apiKey?: string };

export interface Erased {
  /** Answers of the subject. */
  readonly completions: number;
  /**
   * Later answers of the same conversations, and others whose history repeats the subject's.
   */
  readonly quoting: number;
}

/**
 * Erases answers with their conversations, traces and ratings. Also erases later answers of the
 * same conversations, unless another user got them, and every answer whose history repeats an
 * erased question or answer as a whole message, from any asker. Rewrites the file afterwards.
 */
function erase(database: DatabaseSync, subject: ErasedSubject): Erased {
  // Compare before the lock, since that may take long; the lock covers only rows added meanwhile.
  const looked = quotingRows(database, selectedBy(database, subject), 0);
  const erased = inTransaction(database, () => {
    const selected = selectedBy(database, subject);
    const since = quotingRows(database, selected, looked.last);
    const numbers = new Set(selected.map(({ number }) => number));
    const quoting = new Set([
      ...looked.numbers,
      ...since.numbers,
      ...laterTurns(database, selected),
    ]);
    const others = quoting.difference(numbers);
    const remove = database.prepare("DELETE FROM completions WHERE number = ?");
    for (const number of [...numbers, ...others]) remove.run(number);
    return { completions: numbers.size, quoting: others.size };
  });
  // Rewrite even if nothing is left to erase: an earlier attempt may have stopped before this step.
  rewriteDatabase(database, {
    code: "feedback-unusable",
    done: "The answers are erased and overwritten",
  });
  return erased;
}

interface SelectedRow {
  readonly number: number;
  readonly hashes: readonly number[];
  readonly user: string | null;
  readonly conversation: string | null;
}

function selectedBy(database: DatabaseSync, subject: ErasedSubject): readonly SelectedRow[] {
  const [column, value] = "id" in subject ? ["id", subject.id] : ["user", subject.user];
  const apiKey = "apiKey" in subject ? (subject.apiKey ?? null) : null;
  return database
    .prepare(
      `SELECT number, user, question, answer, conversation
       FROM completions LEFT JOIN turns ON completion = number
       WHERE ${column} = :value AND (:apiKey IS NULL OR api_key = :apiKey)`,
    )
    .all({ value, apiKey })
    .map((row) => ({
      number: Number(row["number"]),
      user: textOrNull(row["user"]),
      hashes: hashesOfExchange(String(row["question"]), String(row["answer"])),
      conversation: textOrNull(row["conversation"]),
    }));
}

function laterTurns(database: DatabaseSync, selected: readonly SelectedRow[]): readonly number[] {
  const later = database.prepare(
    `SELECT number FROM turns JOIN completions ON number = completion
     WHERE conversation = :conversation AND number > :number AND ${ofSameUser}`,
  );
  return selected.flatMap(({ number, conversation, user }) =>
    later.all({ conversation, number, user }).map((row) => Number(row["number"])),
  );
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A text said in more other conversations than this does not reveal its source. */
const maxOthers = 2;

/**
 * Two users may share a conversation: a client gives both the same id, or both repeat an answer
 * that has no user.
 */
const ofSameUser = "(user IS NULL OR :user IS NULL OR user = :user)";

/** Rows after a number that repeat an exchange, unless their own conversation also said it. */
function quotingRows(
  database: DatabaseSync,
  selected: readonly SelectedRow[],
  after: number,
): { readonly numbers: ReadonlySet<number>; readonly last: number } {
  const own = new Set(selected.map(({ number }) => number));
  const conversations = new Map(
    selected.map(({ conversation }) => [conversation, new Set<unknown>()]),
  );
  for (const { conversation, user } of selected) conversations.get(conversation)?.add(user);
  const isMeant = (conversation: string, user: string | null): boolean => {
    const users = conversations.get(conversation);
    return users !== undefined && (user === null || users.has(null) || users.has(user));
  };
  const saying = database.prepare(
    "SELECT DISTINCT conversation FROM said JOIN turns USING (completion) WHERE hash = ? LIMIT ?",
  );
  const said = database.prepare(
    `SELECT number FROM said JOIN turns USING (completion)
     JOIN completions ON number = completion
     WHERE hash = :hash AND conversation = :conversation AND ${ofSameUser}`,
  );
  const isCommon = (hash: number): boolean => {
    const rows = saying.all(hash, conversations.size + maxOthers + 1);
    const others = rows.filter((row) => !conversations.has(String(row["conversation"])));
    return others.length > maxOthers;
  };
  const sought = new Set(
    selected.flatMap(({ hashes }) => hashes).filter((hash) => !isCommon(hash)),
  );
  const saidThere = (hash: number, conversation: unknown, user: string | null): boolean =>
    typeof conversation === "string" &&
    !isMeant(conversation, user) &&
    said.all({ hash, conversation, user }).some((row) => !own.has(Number(row["number"])));

  const page = database.prepare(
    `SELECT number, user, history, conversation FROM completions
     LEFT JOIN turns ON completion = number WHERE number > ? ORDER BY number LIMIT 50`,
  );
  const numbers = new Set<number>();
  let last = after;
  for (let rows = page.all(last); rows.length > 0; rows = page.all(last)) {
    last = Number(rows.at(-1)?.["number"]);
    if (own.size === 0) continue;
    for (const { number, user, history, conversation } of rows) {
      if (own.has(Number(number))) continue;
      const isQuoting = [...hashesOfTurns(turnsIn(history)).intersection(sought)].some(
        (hash) => !saidThere(hash, conversation, textOrNull(user)),
      );
      if (isQuoting) numbers.add(Number(number));
    }
  }
  return { numbers, last };
}
