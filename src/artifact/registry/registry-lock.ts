import { join } from "node:path";
import { EspalierError } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";
import { systemClock } from "../../internal/index.ts";
import { waitForLock } from "../../storage/index.ts";

/**
 * Waits until nobody else writes to a registry, and keeps others waiting until disposed of. Not covered:
 * hosts that share the folder over a file system that does not share its locks.
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
              fix: "Wait for it or end it, and try again",
            }
          : {
              problem: "The registry cannot be locked for writing",
              expected: "a folder where `registry.lock` can be written and locked",
              got: why.problem,
              fix: "Name a folder on a local disk; if `registry.lock` is broken, remove it while nobody writes",
              cause,
            }),
      }),
  });
}
