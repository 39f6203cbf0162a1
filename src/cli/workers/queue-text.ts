import type { QueueCounts } from "../packages/workers-package.ts";

/** What happened to the examples that were queued for workers, in one line. */
export function queueText({ jobs, cancelled, lost, dropped }: QueueCounts): string {
  return `workers: ${jobs} examples queued, ${cancelled} cancelled, ${lost} lost by Redis and queued again, ${dropped} late or doubled results dropped`;
}
