import { optionalPackage } from "./optional-package.ts";

export type {
  Checkout,
  Presences,
  QueueCounts,
  QueueRunner,
  RedisAddress,
  RunPresence,
  WorkerPresence,
} from "@espalier/workers";

/**
 * The package of workers, which those install who spread a run.
 *
 * @throws EspalierError `usage-invalid` where it is not installed
 */
export function workersPackage(): Promise<typeof import("@espalier/workers")> {
  return optionalPackage(() => import("@espalier/workers"), {
    name: "@espalier/workers",
    brings: "Work on Redis",
  });
}
