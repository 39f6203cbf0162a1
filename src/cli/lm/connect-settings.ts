import type { RetryOptions } from "../../lm/index.ts";
import { minutesInMs, wholeNumber } from "../arguments/arguments.ts";
import { waitNotice } from "./wait-notice.ts";

/** The options that say how servers are asked, as given. */
export interface ConnectSettings {
  readonly concurrency: string;
  /** In minutes. */
  readonly patience: string;
  /** Whether people wait for the answers. @default false */
  readonly answersPeople?: boolean;
}

/** Reads them; every server of a command is asked alike. */
export function connectSettings(given: ConnectSettings): {
  readonly concurrency: number;
  readonly stallTimeoutMs: number;
  readonly retry: RetryOptions;
} {
  return {
    concurrency: wholeNumber("concurrency", given.concurrency, 1),
    // The whole reply of a reasoning model is silent until it arrives.
    stallTimeoutMs: 600_000,
    retry: {
      patienceMs: minutesInMs("patience", given.patience),
      // A person waits: a pause that a batch would sit out is reported instead.
      maxRetryAfterMs: given.answersPeople === true ? 60_000 : 300_000,
      onWait: waitNotice(),
    },
  };
}
