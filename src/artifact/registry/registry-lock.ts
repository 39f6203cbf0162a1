import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EspalierError, messageOf } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";
import { systemClock } from "../../internal/index.ts";

/**
 * Waits until nobody else writes to a registry, and keeps others waiting until disposed of.
 *
 * The lock is SQLite's write lock on `registry.lock`, which the operating system gives back when its
 * holder ends in whatever way. Nothing is ever written to that file. Not covered: hosts that share the
 * folder over a file system that does not share its locks.
 *
 * @throws EspalierError `registry-locked`
 */
export async function registryLock(
  folder: string,
  {
    patienceMs = 10_000,
    clock = systemClock,
  }: { readonly patienceMs?: number; readonly clock?: Clock } = {},
): Promise<Disposable> {
  const path = join(folder, "registry.lock");
  const until = clock.now() + patienceMs;
  for (;;) {
    const taken = attempt(folder, path);
    if (taken !== "busy") return taken;
    if (clock.now() >= until) {
      throw new EspalierError({
        code: "registry-locked",
        problem: `Another process has been writing to the registry for ${patienceMs / 1_000} s`,
        where: folder,
        fix: "Wait for it or end it, and try again",
      });
    }
    await clock.sleep(betweenAttemptsMs);
  }
}

const betweenAttemptsMs = 20;

function attempt(folder: string, path: string): Disposable | "busy" {
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    // Waiting inside SQLite would keep the whole process waiting.
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec("BEGIN IMMEDIATE");
    const held = database;
    return { [Symbol.dispose]: () => held.close() };
  } catch (error) {
    database?.close();
    if (error instanceof Error && "errcode" in error && error.errcode === 5) return "busy";
    throw new EspalierError({
      code: "registry-locked",
      problem: "The registry cannot be locked for writing",
      where: folder,
      expected: "a folder where `registry.lock` can be written and locked",
      got: messageOf(error),
      fix: "Name a folder on a local disk; if `registry.lock` is broken, remove it while nobody writes",
      cause: error,
    });
  }
}
