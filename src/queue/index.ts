/**
 * Work beyond this process: a runner whose examples run on workers, over BullMQ on Redis, and the
 * workers. The process that owns a run decides, counts and keeps its files alone; Redis holds work
 * in flight, so that losing it costs time and nothing else. Loads the packages that reach Redis
 * when they are needed. Knows no study file, no optimizer and no terminal.
 */
export type { Checkout } from "./checkout.ts";
export type { Limits } from "./job-worker.ts";
export type { QueueRunner } from "./queue-runner.ts";
export { queueRunner } from "./queue-runner.ts";
export type { RedisAddress } from "./redis.ts";
export type { StudyWorker } from "./study-worker.ts";
export { studyWorker } from "./study-worker.ts";
export type { WorkerPresence } from "./worker-presence.ts";
export type { WorkersAt } from "./workers-at.ts";
export { workersAt } from "./workers-at.ts";
