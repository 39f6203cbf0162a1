import type { RetryOptions } from "../../lm/index.ts";
import { minutesInMs, wholeNumber } from "../arguments/arguments.ts";
import { waitNotice } from "./wait-notice.ts";

/** The options that say how servers are asked, as given. */
export interface ConnectSettings {
  readonly concurrency: string;
  /** In minutes. */
  readonly patience: string;
  /** In seconds. */
  readonly "max-retry-after": string;
  /** In seconds. */
  readonly "idle-timeout": string;
}

/** Reads them; every server of a command is asked alike. */
export function connectSettings(given: ConnectSettings): {
  readonly concurrency: number;
  readonly stallTimeoutMs: number;
  readonly retry: RetryOptions;
} {
  return {
    concurrency: wholeNumber("concurrency", given.concurrency, 1),
    stallTimeoutMs: 1000 * wholeNumber("idle-timeout", given["idle-timeout"], 1),
    retry: {
      patienceMs: minutesInMs("patience", given.patience),
      maxRetryAfterMs: 1000 * wholeNumber("max-retry-after", given["max-retry-after"], 0),
      onWait: waitNotice(),
    },
  };
}
