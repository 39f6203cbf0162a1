import type { Proposer, TextTask } from "espalier/optimizer";
import { customProposer } from "espalier/optimizer";
import { cpuMsSince } from "../support/measure.ts";
import { fnv1a32 } from "../../support/yardstick/stand-in-reflection.ts";

/**
 * A task that keeps an engine busy for any number of calls: no text is ever perfect, no text occurs
 * twice, and throughout the run every other proposal is better than its parent, so that candidates,
 * fronts and lineages grow as in real runs. On the yardstick itself, a search that rejects known
 * texts ends after a few hundred calls. `peer.py` has the same task.
 *
 * A text is `name LEVEL CALL`. An example uses one of two texts and scores 1 - .9 / (1 + LEVEL /
 * 50), minus up to .001 depending on example and text, so that instance fronts stay mixed.
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

/**
 * Raises or lowers the level, each in half of the calls, and writes the call count into the text.
 */
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

/** The time that the task's own function took; the rest is engine time. */
export interface Timer {
  evaluatorMs: number;
  /**
   * Subtracted from CPU time: wall time includes other processes, and could make the rest negative.
   */
  evaluatorCpuMs: number;
  calls: number;
}

function levelOf(text: string): number {
  return Number(text.split(" ")[1] ?? 0);
}
