import { join } from "node:path";
import { EspalierError } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";
import { systemClock } from "../../internal/index.ts";
import { waitForLock } from "../../storage/index.ts";

/**
 * Waits for other writers of a registry, and blocks them until disposed. Does not protect against
 * other hosts if the file system does not share locks.
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
  return await waitForLock(join(folder, "registry.lock"), {
    patienceMs,
    clock,
    refused: (why, cause) =>
      new EspalierError({
        code: "registry-locked",
        where: folder,
        ...(why.kind === "held"
          ? {
              problem: `Another process has been writing to the registry for ${patienceMs / 1_000} s`,
              fix: "Wait for it or stop it, then try again",
            }
          : {
              problem: "The registry cannot be locked for writing",
              expected: "a folder in which `registry.lock` can be written and locked",
              got: why.problem,
              fix: "Use a folder on a local disk; if `registry.lock` is broken, remove it while nothing is writing",
              cause,
            }),
      }),
  });
}
