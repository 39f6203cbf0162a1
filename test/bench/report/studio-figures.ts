import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { startThread } from "../../../src/cli/studio/start-thread.ts";
import { studio } from "../../../src/studio/index.ts";
import { writeMadeRun } from "./made-run-folder.ts";

export interface StudioFigures {
  /** From the request to the last byte of the answer. */
  readonly comparisonMs: number;
  /** The longest that the server's event loop was held meanwhile. */
  readonly longestDelayMs: number;
  /** Requests for the first page that were answered meanwhile, and the slowest. */
  readonly answered: number;
  readonly slowestMs: number;
}

/** A studio that is asked for a large comparison, and for its first page all the while. */
export async function studioFigures(size: {
  readonly candidates: number;
  readonly examples: number;
}): Promise<StudioFigures> {
  const folder = await mkdtemp(join(tmpdir(), "espalier-bench-"));
  await writeMadeRun(join(folder, "made"), size);
  await using server = await studio({
    folder,
    startThread: () => startThread({ studies: [] }),
    host: "127.0.0.1",
    port: 0,
    onFault: (error) => {
      throw error;
    },
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const begun = performance.now();
  let isOver = false;
  const comparison = (async () => {
    const answer = await fetch(`${server.url}/api/comparison?source=made`);
    if (!answer.ok) throw new Error(await answer.text());
    for await (const _piece of answer.body ?? []);
    isOver = true;
    return performance.now() - begun;
  })();
  let [answered, slowestMs] = [0, 0];
  while (!isOver) {
    const asked = performance.now();
    await (await fetch(`${server.url}/`)).text();
    slowestMs = Math.max(slowestMs, performance.now() - asked);
    answered++;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const comparisonMs = await comparison;
  delay.disable();
  await rm(folder, { recursive: true });
  return { comparisonMs, longestDelayMs: delay.max / 1e6, answered, slowestMs };
}
