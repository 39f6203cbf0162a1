import type { RetryOptions, RetryWait } from "../../lm/index.ts";
import { minutesInMs, wholeNumber } from "../arguments/arguments.ts";
import { printToStderr } from "../terminal/terminal.ts";

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

/** Shorter waits are the ordinary hiccups of a busy server. */
const unannouncedMs = 5_000;
const betweenNoticesMs = 30_000;

/** Tells a user, at most twice a minute, what calls are waiting for and for how long they will. */
function waitNotice(): (wait: RetryWait) => void {
  let announcedAt = Number.NEGATIVE_INFINITY;
  return ({ fault, waitedMs, patienceMs }) => {
    const now = performance.now();
    if (waitedMs < unannouncedMs || now - announcedAt < betweenNoticesMs) return;
    announcedAt = now;
    const { problem, where } = fault.report;
    const place = where === undefined ? "" : ` (${where})`;
    printToStderr(
      `Waiting for the server, ${minutes(waitedMs)} of at most ${minutes(patienceMs)} minutes: ${problem}${place}`,
    );
  };
}

function minutes(milliseconds: number): string {
  return String(Math.round(milliseconds / 6_000) / 10);
}
