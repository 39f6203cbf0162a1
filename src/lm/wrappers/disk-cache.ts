import type { DatabaseSync } from "node:sqlite";
import { EspalierError, messageOf } from "../../errors/index.ts";
import type { LmReply, FinishReason, LmRole } from "../../contract/index.ts";
import type { DatabaseSchema, UnusableDatabase, WriteFaultReport } from "../../storage/index.ts";
import { inTransaction, openDatabase, writeFault } from "../../storage/index.ts";
import type { ReplyCache } from "./reply-cache.ts";
import type { Shape } from "../../internal/index.ts";
import {
  amount,
  at,
  finite,
  jsonOrUndefined,
  listOf,
  objectOf,
  oneOf,
  optional,
  orNull,
  text,
} from "../../internal/index.ts";

export interface DiskCache extends ReplyCache, AsyncDisposable {
  readonly size: number;
}

/**
 * Replies in a SQLite file, shared by consecutive runs and concurrent processes. The first reply
 * kept under a key stays. Replies are written in batches, at most `writeDelayMs` after they
 * arrived: a process kill may lose those, a power loss some more.
 *
 * @throws EspalierError `cache-unusable` if the file is of another kind or version; `write-failed`
 * when a write fails, and from then on
 */
export function diskCache(path: string): DiskCache {
  const database = openReplies(path);
  const select = database.prepare("SELECT reply FROM replies WHERE key = ?");
  const insert = database.prepare("INSERT OR IGNORE INTO replies (key, reply) VALUES (?, ?)");
  const count = database.prepare("SELECT count(*) AS size FROM replies");
  // A transaction per reply costs more CPU than all other bookkeeping of a call.
  const unwritten = new Map<string, LmReply>();
  let writing: NodeJS.Timeout | undefined;
  let failure: Error | undefined;
  let isReported = false;

  const write = (): void => {
    clearTimeout(writing);
    writing = undefined;
    if (unwritten.size === 0) return;
    const fault = {
      kept: `All replies but the last ${unwritten.size} are kept.`,
      next: "run the command again",
    };
    const writeAll = (): void =>
      inTransaction(database, () => {
        for (const [key, reply] of unwritten) {
          insert.run(Buffer.from(key, "hex"), JSON.stringify(reply));
        }
      });
    orUnusable(path, writeAll, fault);
    unwritten.clear();
  };
  // Nothing awaits the timer: the next caller gets its write error.
  const writeLater = (): void => {
    try {
      write();
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
  };
  const throwFailure = (): void => {
    if (failure === undefined) return;
    isReported = true;
    throw failure;
  };

  return {
    get size() {
      write();
      return Number(count.get()?.["size"]);
    },
    get: (key) => {
      throwFailure();
      const fresh = unwritten.get(key);
      if (fresh !== undefined) return fresh;
      return orUnusable(path, () => {
        const row = select.get(Buffer.from(key, "hex"));
        return row === undefined ? undefined : replyUnder(key, String(row["reply"]));
      });
    },
    set: (key, reply) => {
      // Keep it in any case: there may be space when the cache is closed.
      if (!unwritten.has(key)) unwritten.set(key, reply);
      throwFailure();
      writing ??= setTimeout(writeLater, writeDelayMs);
    },
    [Symbol.asyncDispose]: async () => {
      try {
        write();
      } catch (error) {
        if (!isReported) throw error;
      } finally {
        database.close();
      }
    },
  };
}

const writeDelayMs = 20;

/** @throws Error that names the key and what is wrong with its reply */
function replyUnder(key: string, json: string): LmReply {
  const read = replyIn(json);
  if ("reply" in read) return read.reply;
  throw new Error(`the reply under key ${key} is damaged: ${read.problem}`);
}

const schema: DatabaseSchema = {
  // "eslm" in ASCII.
  applicationId: 0x65736c6d,
  version: 1,
  tables: "CREATE TABLE replies (key BLOB NOT NULL UNIQUE, reply TEXT NOT NULL)",
  pragmas: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL",
};

function openReplies(path: string): DatabaseSync {
  const refused = (found: UnusableDatabase): EspalierError =>
    new EspalierError({
      code: "cache-unusable",
      problem: "The cache file is not one that this version can use",
      expected: `cache version ${schema.version}`,
      got:
        found.kind === "foreign" ? "another program's database" : `cache version ${found.version}`,
      where: path,
      fix: "Name another file, or remove this one if it is an old cache.",
    });
  return orUnusable(path, () => openDatabase(path, schema, { timeoutMs: 30_000, refused }));
}

function orUnusable<TResult>(
  path: string,
  action: () => TResult,
  fault: WriteFaultReport = { kept: "Its contents are kept.", next: "run the command again" },
): TResult {
  try {
    return action();
  } catch (thrown) {
    // If the folder cannot be created, the path is at fault.
    const isPath = thrown instanceof Error && "syscall" in thrown && thrown.syscall === "mkdir";
    const error = isPath ? thrown : writeFault(thrown, path, fault);
    if (EspalierError.isInstance(error)) throw error;
    throw new EspalierError({
      code: "cache-unusable",
      problem: "The cache file cannot be used",
      got: messageOf(error),
      where: path,
      fix: "Name another file, or remove this one if it is a cache.",
      cause: error,
    });
  }
}

const finishReasons = {
  stop: true,
  length: true,
  repetition: true,
  "content-filter": true,
  "tool-calls": true,
  other: true,
} as const satisfies Record<FinishReason, true>;

const roles = {
  student: true,
  reflection: true,
  judge: true,
  embedding: true,
  reranking: true,
  teacher: true,
  shadow: true,
  tool: true,
} as const satisfies Record<LmRole, true>;

export const roleShape: Shape = oneOf(...Object.keys(roles));

export const identityShape: Shape = objectOf({ provider: text, model: text });

const logprob = { token: text, logprob: finite };

/** The required shape of a reply that was kept, in a cache, a run or a queue. */
export const replyShape: Shape = objectOf({
  content: orNull(text),
  reasoning: orNull(text),
  toolCalls: optional(listOf(objectOf({ id: text, name: text, arguments: text }))),
  finishReason: oneOf(...Object.keys(finishReasons)),
  usage: objectOf({
    promptTokens: orNull(amount),
    completionTokens: orNull(amount),
    cachedPromptTokens: orNull(amount),
    reasoningTokens: orNull(amount),
  }),
  maxCompletionTokens: optional(amount),
  logprobs: optional(listOf(objectOf({ ...logprob, top: listOf(objectOf(logprob)) }))),
  model: text,
  latencyMs: amount,
  source: oneOf("server", "cache", "recording"),
} satisfies Record<keyof LmReply, Shape | ReturnType<typeof optional>>);

/** A reply as JSON, or what is wrong with it. */
export function replyIn(json: string): { readonly reply: LmReply } | { readonly problem: string } {
  const reply = jsonOrUndefined(json);
  const problem = replyShape(reply);
  return problem === null ? { reply: reply as LmReply } : { problem: at("reply", problem) };
}
