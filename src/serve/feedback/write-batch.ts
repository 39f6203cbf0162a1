import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { messageOf } from "../../errors/index.ts";
import { inTransaction, isBusy, sqliteResult } from "../../storage/index.ts";
import { openDatabase, feedbackTables } from "./feedback-tables.ts";
import type { FeedbackTables, Tally } from "./feedback-tables.ts";
import type { KeptCompletion, Rater, Rating } from "./kept-completion.ts";

/** Fixed settings of the writer thread. */
export interface WriterSettings {
  readonly path: string;
  readonly keepRows: number;
  readonly secrets: readonly string[];
}

/** An item to write; answers come as JSON, the cheapest form to hand over. */
export type WriteItem =
  | { readonly kind: "keep"; readonly json: string }
  | {
      readonly kind: "rate";
      readonly id: string;
      readonly rating: Rating;
      readonly by: Rater;
      readonly atMs: number;
      readonly oldestMs: number;
    }
  | { readonly kind: "prune"; readonly oldestMs: number };

export type ItemOutcome =
  | { readonly state: "written" }
  /** A rating of an answer that is not kept. */
  | { readonly state: "unknown" }
  /** The item can never be written. */
  | { readonly state: "refused"; readonly problem: string };

export type BatchOutcome =
  | {
      readonly state: "written";
      readonly outcomes: readonly ItemOutcome[];
      readonly tallies: readonly Tally[];
    }
  /** Nothing of the batch was written; a retry is possible. */
  | { readonly state: "failed"; readonly problem: string };

/** Writes batches, each in one transaction that is on the disk when it returns; never throws. */
export function batchWriter({ path, keepRows, secrets }: WriterSettings): {
  readonly write: (items: readonly WriteItem[]) => BatchOutcome;
  readonly close: () => void;
} {
  let open:
    | (FeedbackTables & { readonly database: DatabaseSync; readonly file: string })
    | undefined;
  const close = (): void => {
    open?.database.close();
    open = undefined;
  };
  const opened = (): NonNullable<typeof open> => {
    // If the file was moved or deleted, rows written to it would be lost.
    if (open !== undefined && open.file !== fileAt(path)) close();
    if (open === undefined) {
      const database = openDatabase(path, true, busyTimeoutMs);
      open = { ...feedbackTables(database, secrets), database, file: fileAt(path) };
    }
    return open;
  };
  return {
    write: (items) => {
      try {
        const tables = opened();
        // Run it without items too: only a transaction shows whether the file can be written.
        const outcomes = inTransaction(tables.database, () => {
          const written = items.map((item) => writtenItem(tables, item));
          tables.prune({ rows: keepRows });
          return written;
        });
        return { state: "written", outcomes, tallies: tables.tallies() };
      } catch (error) {
        // A connection that waits for a lock stays open.
        if (!isLocked(error)) close();
        return { state: "failed", problem: messageOf(error) };
      }
    },
    close,
  };
}

/** Short, so that ending the thread does not have to wait for it. */
const busyTimeoutMs = 200;

function writtenItem(
  tables: FeedbackTables & { readonly database: DatabaseSync },
  item: WriteItem,
): ItemOutcome {
  tables.database.exec("SAVEPOINT item");
  try {
    const isKnown = apply(tables, item);
    tables.database.exec("RELEASE item");
    return { state: isKnown ? "written" : "unknown" };
  } catch (error) {
    if (!isOfItem(error) || !tables.database.isTransaction) throw error;
    tables.database.exec("ROLLBACK TO item; RELEASE item");
    return { state: "refused", problem: messageOf(error) };
  }
}

function apply(tables: FeedbackTables, item: WriteItem): boolean {
  if (item.kind === "rate") return tables.rate(item.id, item.rating, item, item.by);
  if (item.kind === "prune") tables.prune({ oldestMs: item.oldestMs });
  else {
    const completion = JSON.parse(item.json) as KeptCompletion;
    tables.keep({ ...completion, at: new Date(completion.at) });
  }
  return true;
}

function fileAt(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "none" : `${found.dev} ${found.ino}`;
}

/** Whether another connection holds the file, or one of its tables. */
function isLocked(error: unknown): boolean {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return isBusy(cause) || sqliteResult(cause) === 6;
}

/** A row that breaks a constraint or a limit of SQLite, or a defect of ours: the file is sound. */
function isOfItem(error: unknown): boolean {
  return [0, 18, 19, 20].includes(sqliteResult(error));
}
