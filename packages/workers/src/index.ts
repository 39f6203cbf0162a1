/**
 * Work beyond this process: a runner whose examples run on workers, over BullMQ on Redis, and the
 * workers. The process that owns a run decides, counts and keeps its files alone; Redis holds work
 * in flight, so that losing it costs time and nothing else. Knows no study file, no optimizer and
 * no terminal.
 */
export type { Checkout } from "./job/checkout.ts";
export type { Limits } from "./worker/job-worker.ts";
export type { QueueRunner } from "./runner/queue-runner.ts";
export { queueRunner } from "./runner/queue-runner.ts";
export type { RedisAddress } from "./redis/redis-address.ts";
export type { StudyWorker } from "./worker/study-worker.ts";
export { studyWorker } from "./worker/study-worker.ts";
export type { WorkerPresence } from "./presence/worker-presence.ts";
export type { QueueCounts, RunPresence } from "./presence/run-presence.ts";
export type { Presences, WorkersAt } from "./presence/workers-at.ts";
export { workersAt } from "./presence/workers-at.ts";
