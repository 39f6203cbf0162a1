import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { systemClock } from "../../../src/internal/index.ts";
import { waitForLock } from "../../../src/storage/index.ts";

export const repository = resolve(import.meta.dirname, "../../..");

/**
 * Where installations and models are kept between runs: `ESPALIER_TEST_CACHE`, if set. The home
 * folder is the account's, since a run of the tests has a `HOME` of its own.
 */
export function testCacheFolder(): string {
  return resolve(
    process.env["ESPALIER_TEST_CACHE"] ?? join(userInfo().homedir, ".cache/espalier-test"),
  );
}

/** What this machine lacks: outside of continuous integration, a reason to skip. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

/** Prints past vitest's reporters, which hide what a global setup writes to the console. */
export function say(text: string): void {
  process.stderr.write(`[servers] ${text}\n`);
}

/** Makes other processes that want to make the same wait, and says so when it waits itself. */
export async function lockOf(path: string): Promise<Disposable> {
  const attempt = (patienceMs: number): Promise<Disposable> =>
    waitForLock(`${path}.lock`, {
      patienceMs,
      clock: systemClock,
      refused: (why, cause) =>
        new Error(`The lock of ${path} is ${why.kind === "held" ? "held" : why.problem}.`, {
          cause,
        }),
    });
  try {
    return await attempt(0);
  } catch {
    say(`Waiting for another process that makes ${path}.`);
    return attempt(3_600_000);
  }
}
