import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serveRehearsal } from "@espalier/rehearsal";
import type { Clock } from "../../../src/internal/index.ts";
import { startCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const price = { promptUsdPerMillion: 10, completionUsdPerMillion: 20 };

/** A folder for one experiment, and a server that counts the calls it answers, at a price. */
export interface ServedExperiment extends AsyncDisposable {
  readonly run: string;
  readonly url: string;
  /** Words for `espalier experiment`, to begin one. */
  begin(file: string, ...words: readonly string[]): string[];
  /** Words that resume it, with other caps for instance. */
  resume(file: string, ...words: readonly string[]): string[];
  /** Calls that reached the server so far. */
  received(): number;
}

export async function servedExperiment({
  latencyMs = 0,
  clock,
}: { readonly latencyMs?: number; readonly clock?: Clock } = {}): Promise<ServedExperiment> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await serveRehearsal({ latencyMs, ...(clock && { clock }) }));
  const folder = stack.use(await temporaryFolder());
  const run = join(folder.path, "run");
  const prices = join(folder.path, "prices.json");
  await writeFile(prices, JSON.stringify({ student: price, reflection: price, judge: price }));
  const lm = ["--lm", `${server.url}/v1`, "--cache", "none", "--prices", prices];
  const kept = stack.move();
  return {
    run,
    url: server.url,
    begin: (file, ...words) => ["experiment", file, ...lm, ...words, "--run", run],
    resume: (file, ...words) => ["experiment", file, ...words, "--resume", run],
    received: () => server.calls().byEndpoint["POST /v1/chat/completions"]?.received ?? 0,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/**
 * Kills the command once the server has received so many calls.
 *
 * @returns whether it had not ended before
 */
export async function killedAfter(
  calls: number,
  words: readonly string[],
  received: () => number,
): Promise<boolean> {
  const child = startCli(words);
  let isOver = false;
  void child.ended.then(() => (isOver = true));
  while (received() < calls && !isOver) await new Promise((tick) => setTimeout(tick, 1));
  child.interrupt("SIGKILL");
  return (await child.ended).code === null;
}
