import { componentText } from "../candidate/components.ts";
import type { Candidate, Json, JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { semaphore } from "../../internal/index.ts";
import { noUsage } from "../budget/index.ts";
import type { TextScore, TextTask } from "../task/text-task.ts";
import type { Evaluator } from "./evaluator.ts";
import type { Rollout } from "./rollout.ts";

/** Judges texts with the task's own function; a synchronous function bypasses the queue. */
export function textEvaluator<TExample extends Json>(
  task: TextTask<TExample>,
  concurrency: number,
): Evaluator {
  const queue = semaphore(concurrency);
  const names = Object.keys(task.texts);
  const { name, aggregate } = task;
  let isOver = false;
  const enqueue = async (work: () => Promise<void>, signal: AbortSignal): Promise<void> =>
    queue.run(async () => {
      // A failure or an abort has ended the run, so nothing more starts.
      if (isOver) return;
      signal.throwIfAborted();
      try {
        await work();
      } catch (error) {
        isOver = true;
        throw error;
      }
    });
  return {
    evaluate: async ({
      candidate,
      split,
      exampleIds,
      keepsLessons,
      repetition = 0,
      signal,
      onRollout,
    }) => {
      if (isOver) return;
      // Checked first: the rejection of an aborted function would be unhandled.
      signal.throwIfAborted();
      const texts = textsOf(candidate);
      const examples = split === "train" ? task.train : task.val;
      const about = { task: name, examples, names, keepsLessons };
      const run = (exampleId: string): TextScore | Promise<TextScore> =>
        task.evaluate(texts, examples[exampleId] as TExample, { exampleId, repetition, signal });
      const report = (exampleId: string, result: TextScore): void =>
        onRollout(rolloutOf(exampleId, result, about));
      const waiting: Promise<void>[] = [];
      for (const exampleId of exampleIds) {
        if (waiting.length > 0 || queue.running > 0) {
          waiting.push(enqueue(async () => report(exampleId, await run(exampleId)), signal));
          continue;
        }
        const result = run(exampleId);
        if (!(result instanceof Promise)) report(exampleId, result);
        else waiting.push(enqueue(async () => report(exampleId, await result), signal));
      }
      if (waiting.length === 0) return;
      // Waits for all, since work that has started would otherwise continue after the run has
      // ended.
      const ended = await Promise.allSettled(waiting);
      const failed = ended.find(({ status }) => status === "rejected");
      if (failed?.status === "rejected") throw failed.reason;
    },
    ...(aggregate && {
      aggregate: (split, scored) => {
        const value = aggregate(split, scored);
        if (Number.isFinite(value)) return value;
        throw new EspalierError({
          code: "metric-failed",
          problem: `\`aggregate\` of text task \`${name}\` did not return a finite number`,
          got: String(value),
        });
      },
    }),
  };
}

function textsOf(candidate: Candidate): Readonly<Record<string, string>> {
  return Object.fromEntries(
    candidate.map((component) => [component.path, componentText(component)]),
  );
}

/** Throws for any figure that is not a finite number. */
function checkFigures(
  { score, objectives = {} }: TextScore,
  task: string,
  exampleId: string,
): void {
  const named = Object.entries(objectives).map(([name, value]) => [`objective \`${name}\``, value]);
  for (const [what, value] of [["score", score], ...named]) {
    if (Number.isFinite(value)) continue;
    throw new EspalierError({
      code: "metric-failed",
      problem: `\`evaluate\` of text task \`${task}\` did not return a finite ${what}`,
      got: String(value),
      where: `example \`${exampleId}\``,
    });
  }
}

function rolloutOf(
  exampleId: string,
  result: TextScore,
  {
    task,
    examples,
    names,
    keepsLessons,
  }: {
    readonly task: string;
    readonly examples: Readonly<Record<string, Json>>;
    readonly names: readonly string[];
    readonly keepsLessons: boolean;
  },
): Rollout {
  checkFigures(result, task, exampleId);
  const { score, feedback, ran = names, inputs, outputs = {}, objectives } = result;
  const judged = {
    exampleId,
    score:
      objectives === undefined
        ? { kind: "scored" as const, value: score }
        : { kind: "scored" as const, value: score, objectives },
    ran: ran.length < 2 ? ran : ran.toSorted(),
    usage: noUsage,
    worst: 0,
  };
  if (!keepsLessons || feedback === undefined) return judged;
  const shown: JsonObject = inputs ?? { example: examples[exampleId] ?? null };
  const steps = ran.map((name) => ({
    path: name,
    predictor: name,
    inputs: shown,
    outputs,
    rawText: null,
  }));
  const lesson =
    typeof feedback === "string"
      ? { feedback, steps }
      : { blame: Object.entries(feedback).map(([path, text]) => ({ path, text })), steps };
  return { ...judged, lesson };
}
