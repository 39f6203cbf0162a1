import type { DatabaseSync, StatementSync } from "node:sqlite";
import { messageOf } from "../../errors/index.ts";
import { checkMilliseconds, count } from "../../internal/index.ts";
import type { KeyUsage } from "./key-usage.ts";
import type { SqliteFormat } from "../../storage/index.ts";
import { inTransaction, openSqlite, orClosed } from "../../storage/index.ts";

/** Counts that survive a restart. */
export type KeptKeyUsage = KeyUsage & Disposable;

/**
 * Counts tokens in a file that several servers may share. Answers do not wait for it: counts are
 * written together, every `flushMs` and at the end, and failed writes are retried later.
 *
 * @param flushMs at least 1
 * @throws EspalierError `option-invalid`, `serve-state-unusable`
 */
export function openKeyUsage(
  path: string,
  { flushMs = 1_000 }: { readonly flushMs?: number } = {},
): KeptKeyUsage {
  checkMilliseconds("flushMs", flushMs, { least: 1 });
  const database = openSqlite(path, format, true);
  const { add, forget, all, found } = orClosed(database, { path, format }, () => {
    const statements = statementsOf(database);
    return { ...statements, found: tokensIn(statements.all) };
  });
  let problem: string | null = null;
  let written = found;
  const unwritten = new Map<string, number>();

  const write = (): void => {
    inTransaction(database, () => {
      const days = [...unwritten].map(([place, tokens]) => {
        const [day = "", key = ""] = place.split(" ");
        add.run(day, key, tokens);
        return day;
      });
      forget.run(days.toSorted()[0] ?? "");
    });
    unwritten.clear();
  };
  const flush = (): void => {
    try {
      if (unwritten.size > 0) write();
      // Includes the counts of other servers.
      written = tokensIn(all);
      problem = null;
    } catch (error) {
      problem = messageOf(error);
    }
  };
  const timer = setInterval(flush, flushMs).unref();
  return {
    get problem() {
      return problem;
    },
    tokensOn: (day, key) => {
      const place = placeOf(day, key);
      return (written.get(place) ?? 0) + (unwritten.get(place) ?? 0);
    },
    add: (day, key, tokens) => {
      const place = placeOf(day, key);
      unwritten.set(place, (unwritten.get(place) ?? 0) + tokens);
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      flush();
      if (database.isOpen) database.close();
    },
  };
}

function statementsOf(database: DatabaseSync) {
  return {
    add: database.prepare(
      `INSERT INTO tokens (day, key, tokens) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens`,
    ),
    forget: database.prepare("DELETE FROM tokens WHERE day < ?"),
    all: database.prepare("SELECT day, key, tokens FROM tokens"),
  };
}

function tokensIn(all: StatementSync): ReadonlyMap<string, number> {
  return new Map(
    all.all().map(({ day, key, tokens }) => {
      const problem = count(tokens);
      // An unreadable count must not let a key through that is used up.
      if (problem !== null)
        throw new Error(`tokens of "${String(key)}" on ${String(day)}${problem}`);
      return [placeOf(String(day), String(key)), Number(tokens)];
    }),
  );
}

/** Key names contain no space. */
function placeOf(day: string, key: string): string {
  return `${day} ${key}`;
}

const format: SqliteFormat = {
  name: "key usage file",
  // "espk" in ASCII.
  applicationId: 0x6573706b,
  version: 1,
  tables: `
    CREATE TABLE tokens (
      day TEXT NOT NULL, key TEXT NOT NULL, tokens INTEGER NOT NULL, PRIMARY KEY (day, key)
    );
  `,
  // Do not block the event loop for another process: counts that cannot be written now wait.
  pragmas: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 20",
  unusable: "serve-state-unusable",
  maker: "`espalier serve FILE --keys FILE --state FOLDER` creates one.",
};
