import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { openAiCompatible } from "espalier/lm";
import type { Optimizer } from "espalier/optimizer";
import { optimize } from "espalier/optimizer";
import { sharedData } from "../../../support/shared-data.ts";
import type { RunFigures } from "../engines/run-figures.ts";
import type { LeverTask } from "./lever-task.ts";

/** Most calls of the proposer, by calls of the student, as the yardstick caps them. */
const proposerCalls: Readonly<Record<number, number>> = { 300: 20, 1_000: 40, 3_000: 80 };

/**
 * One search of ours, over HTTP against the yardstick's own server. Throws if the student was asked
 * more often than the cap allows, or the proposer.
 */
export async function runLeverSearch(
  { variant, seed, steps, study, worth }: LeverTask,
  {
    studentCalls,
    run,
    optimizer,
  }: { readonly studentCalls: number; readonly run: number; readonly optimizer: Optimizer },
): Promise<RunFigures> {
  await using server = await mockServer(variant, seed);
  const maxTexts = proposerCalls[studentCalls] ?? 20;
  const startedAt = performance.now();
  const { components, spent, reason } = await optimize(study, {
    optimizer,
    lm: openAiCompatible({ baseUrl: server.url, model: "mock" }),
    seed: run,
    budget: { metricCalls: Math.floor(studentCalls / steps), reflectionCalls: maxTexts },
  });
  const wallMs = performance.now() - startedAt;
  const { student, proposer } = await server.counts();
  if (student > studentCalls || proposer > maxTexts) {
    throw new Error(
      `The student was asked ${student} times and the proposer ${proposer} times, of at most ` +
        `${studentCalls} and ${maxTexts}; the engine reports ${JSON.stringify(spent)}.`,
    );
  }
  return {
    task: seed,
    run,
    val: worth(components, "val"),
    test: worth(components, "test"),
    metricCalls: student,
    texts: proposer,
    wallMs,
    ended: reason,
  };
}

interface MockServer extends AsyncDisposable {
  readonly url: string;
  /** Calls that it answered. */
  readonly counts: () => Promise<{ readonly student: number; readonly proposer: number }>;
}

async function mockServer(variant: string, seed: number): Promise<MockServer> {
  const { file } = sharedData("../bench/joint/serve.mjs");
  const child = spawn(process.execPath, [file, variant, String(seed)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: url, done } = await lines.next();
  if (done === true) throw new Error("The yardstick's server has ended.");
  return {
    url,
    counts: async () => {
      const reply = await fetch(url.replace(/v1$/, "stats"));
      return (await reply.json()) as { student: number; proposer: number };
    },
    [Symbol.asyncDispose]: async () => {
      const ended = new Promise((resolve) => child.once("close", resolve));
      child.kill();
      await ended;
    },
  };
}
