import type { Proposer, TextTask } from "espalier/optimizer";
import { customProposer } from "espalier/optimizer";
import { cpuMsSince } from "../support/measure.ts";
import { fnv1a32 } from "../../support/yardstick/stand-in-reflection.ts";

/**
 * A task that keeps an engine busy however many calls it has: no text is ever perfect, no text comes
 * twice, and one proposal in two is better than its parent from the first to the last, so that
 * candidates, fronts and lineages grow as in the runs that matter. On the yardstick itself a search that
 * refuses known texts is done after some hundred calls. `peer.py` has the same task.
 *
 * A text is `name LEVEL CALL`. An example asks one of two texts, and scores 1 - .9 / (1 + LEVEL / 50),
 * less up to .001 by example and text, so that instance fronts stay mixed.
 */
export function busyTask(): { readonly task: TextTask<BusyExample>; readonly timer: Timer } {
  const timer = { evaluatorMs: 0, evaluatorCpuMs: 0, calls: 0 };
  const examples = (split: string, count: number): Readonly<Record<string, BusyExample>> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, place) => [
        `${split}${place}`,
        { component: place % 2 === 0 ? "first" : "second" },
      ]),
    );
  const task: TextTask<BusyExample> = {
    name: "busy",
    version: "1",
    texts: { first: "first 0 0", second: "second 0 0" },
    train: examples("train", 30),
    val: examples("val", 20),
    evaluate: (texts, { component }, { exampleId }) => {
      const startedAt = performance.now();
      const cpu = process.cpuUsage();
      const text = texts[component] ?? "";
      const level = levelOf(text);
      const jitter = fnv1a32(`${exampleId} ${text}`) % 1000;
      const said = {
        score: 1 - 0.9 / (1 + level / 50) - jitter / 1e6,
        ran: [component],
        feedback: { [component]: `Raise the level of ${exampleId}.` },
        inputs: { id: exampleId },
      };
      timer.evaluatorCpuMs += cpuMsSince(cpu);
      timer.evaluatorMs += performance.now() - startedAt;
      timer.calls++;
      return said;
    },
  };
  return { task, timer };
}

/** Raises the level in one call of two, else lowers it; counts its calls into the text. */
export function busyProposer(): Proposer {
  let calls = 0;
  return customProposer("busy", ({ component: { value, path } }) => {
    calls++;
    const step = fnv1a32(`busy:${calls}`) % 2 === 0 ? 1 : -1;
    return `${path} ${Math.max(0, levelOf(value) + step)} ${calls}`;
  });
}

export interface BusyExample {
  readonly [key: string]: string;
  readonly component: string;
}

/** What the task's own function took; engine time is what is left. */
export interface Timer {
  evaluatorMs: number;
  /** Taken off CPU time: the wall clock also counts what other processes took, and would leave less than 0. */
  evaluatorCpuMs: number;
  calls: number;
}

function levelOf(text: string): number {
  return Number(text.split(" ")[1] ?? 0);
}
