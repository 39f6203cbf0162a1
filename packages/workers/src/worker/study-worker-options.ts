import type { Checkout } from "../job/checkout.ts";
import type { JobWorkerOptions } from "./job-worker.ts";
import type { RedisAddress } from "../redis/redis-address.ts";

export interface StudyWorkerOptions extends Pick<JobWorkerOptions, "limits"> {
  readonly redis: RedisAddress;
  /** Name of the study. */
  readonly name: string;
  readonly checkout: Checkout;
  readonly study: JobWorkerOptions["study"];
  /** Jobs at once, at most, for each run. */
  readonly slots: number;
  /** Silence after which a worker's jobs go to another, in milliseconds. */
  readonly stallMs: number;
  readonly host: string;
  readonly pid: number;
  /** Is told what happens, in a sentence each. */
  readonly onNote: (sentence: string) => void;
}
