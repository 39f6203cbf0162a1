import type { RetryWait } from "../../lm/index.ts";
import { printToStderr } from "../terminal/terminal.ts";

/** Shorter waits are the ordinary hiccups of a busy server. */
const unannouncedMs = 5_000;
const betweenNoticesMs = 30_000;

/** Tells a user, at most twice a minute, what calls are waiting for and for how long they will. */
export function waitNotice(): (wait: RetryWait) => void {
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
