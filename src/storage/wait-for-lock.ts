import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../errors/index.ts";
import type { Clock } from "../internal/index.ts";
import { sqlite } from "../internal/index.ts";
import type { LockRefusal } from "./file-lock.ts";
import { isBusy } from "./sqlite-result.ts";

/**
 * Waits for the lock that a file represents, and makes others wait until disposed of; creates file
 * and folder if missing. The lock is SQLite's write lock, as with `fileLock`, which does not wait
 * and notes its holder; nothing is ever written to this file.
 *
 * @param options.patienceMs how long to wait
 * @param options.refused makes the error to throw
 */
export async function waitForLock(
  path: string,
  {
    patienceMs,
    clock,
    refused,
  }: {
    readonly patienceMs: number;
    readonly clock: Clock;
    readonly refused: (why: LockRefusal, cause: unknown) => Error;
  },
): Promise<Disposable> {
  const until = clock.now() + patienceMs;
  for (;;) {
    try {
      return taken(path);
    } catch (error) {
      if (!isBusy(error)) throw refused({ kind: "unusable", problem: messageOf(error) }, error);
      if (clock.now() >= until) throw refused({ kind: "held", holder: "another process" }, error);
    }
    await clock.sleep(20);
  }
}

function taken(path: string): Disposable {
  mkdirSync(dirname(path), { recursive: true });
  // Waiting inside SQLite would block the whole process.
  const database = sqlite(path, { timeout: 0 });
  try {
    database.exec("BEGIN IMMEDIATE");
    return { [Symbol.dispose]: () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
}
