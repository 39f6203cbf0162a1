import { optionalPackage } from "./optional-package.ts";
import type { QueueCounts } from "@espalier/workers";

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
    brings: "Support for Redis",
  });
}

/** What happened to the examples that were queued for workers, in one line. */
export function queueText({ jobs, cancelled, lost, dropped }: QueueCounts): string {
  return `workers: ${jobs} examples queued, ${cancelled} cancelled, ${lost} lost by Redis and queued again, ${dropped} late or duplicate results dropped`;
}
