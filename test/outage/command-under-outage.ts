import { setTimeout as delay } from "node:timers/promises";
import type { CliResult } from "../support/run-cli.ts";
import { startCli } from "../support/run-cli.ts";
import type { LmProcess } from "./lm-process.ts";

export interface CutCommand extends CliResult {
  /** Whether the command was at work when the server was killed. */
  readonly wasCut: boolean;
  /** Whether it ended before the server was back. */
  readonly gaveUp: boolean;
  /** Chat calls that the server had received when it was killed. */
  readonly killedAfter: number;
  readonly awaySeconds: number;
}

/**
 * Runs a command, kills its server after a number of chat calls, and starts it again after the
 * outage; where the command is expected to give up, not before it has.
 */
export async function commandUnderOutage(
  words: readonly string[],
  {
    cwd,
    lm,
    afterCalls,
    outageMs,
    givesUp,
  }: {
    readonly cwd: string;
    readonly lm: LmProcess;
    readonly afterCalls: number;
    readonly outageMs: number;
    readonly givesUp: boolean;
  },
): Promise<CutCommand> {
  const running = startCli(words, { cwd });
  let hasEnded = false;
  const ended = running.ended.then((result) => {
    hasEnded = true;
    return result;
  });
  const hanging = setTimeout(() => running.interrupt("SIGKILL"), outageMs + maxWorkMs);
  try {
    await Promise.race([lm.diesAfter(afterCalls), ended]);
    const wasCut = !hasEnded;
    const killedAt = performance.now();
    await lm.kill();
    await Promise.all([delay(outageMs), ...(givesUp ? [ended] : [])]);
    const gaveUp = hasEnded;
    await lm.restart();
    const awaySeconds = Math.round((performance.now() - killedAt) / 1_000);
    return { ...(await ended), wasCut, gaveUp, killedAfter: afterCalls, awaySeconds };
  } finally {
    clearTimeout(hanging);
    if (!hasEnded) running.interrupt("SIGKILL");
  }
}

/** A command that works longer than this beside the outage hangs, and is killed. */
const maxWorkMs = 20 * 60_000;
