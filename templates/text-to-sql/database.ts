import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export type Row = readonly (string | number | null)[];

/** What a query gave: rows, or SQLite's reason why not. */
export type QueryResult = { readonly rows: readonly Row[] } | { readonly error: string };

export interface Database {
  /** The statements that made the tables: what the model sees. */
  readonly schema: string;
  /** Runs a query that may only read. One that takes too long is ended, and is an error. */
  query(sql: string): Promise<QueryResult>;
}

/**
 * A SQLite database in memory, made by the statements of a file. It is in a process of its own,
 * because nothing else can end an endless query that a model wrote.
 */
export async function openDatabase(path: string, { timeoutMs = 5_000 } = {}): Promise<Database> {
  const statements = await readFile(path, "utf8");
  let running: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();
  process.once("exit", () => running?.kill("SIGKILL"));

  const ask = async (sql: string): Promise<QueryResult> => {
    const asked = (running ??= startProcess(path));
    asked.channel?.ref();
    asked.send(sql);
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const [result] = (await once(asked, "message", { signal })) as [QueryResult];
      return result;
    } catch (error) {
      running = undefined;
      asked.kill("SIGKILL");
      const isLate = error instanceof Error && error.name === "AbortError";
      return { error: isLate ? `The query took longer than ${timeoutMs} ms` : String(error) };
    } finally {
      asked.channel?.unref();
    }
  };

  return {
    schema: statements
      .split("\n")
      .filter((line) => line.startsWith("CREATE"))
      .join("\n"),
    query: (sql) => {
      const result = last.then(() => ask(sql));
      last = result;
      return result;
    },
  };
}

/** An idle one does not keep this process alive, and ends with it. */
function startProcess(path: string): ChildProcess {
  const started = fork(fileURLToPath(new URL("./query-process.ts", import.meta.url)), [path], {
    // Node.js 22 and 24 warn that their SQLite is experimental.
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  started.unref();
  return started;
}
