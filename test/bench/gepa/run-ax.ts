import type { AxAIService } from "@ax-llm/ax";
import { AxGEPA } from "@ax-llm/ax";
import type { CoupledExample, CoupledTask } from "../../support/yardstick/coupled-task.ts";
import {
  directives,
  coupledMean,
  coupledScore,
  seenScores,
} from "../../support/yardstick/coupled-task.ts";
import { standInWriter } from "../../support/yardstick/stand-in-reflection.ts";
import { bareAxService } from "../support/bare-ax-service.ts";
import type { RunFigures } from "./run-espalier.ts";

export interface AxRun {
  readonly metricCalls: number;
  readonly seed: number;
  readonly isRepaired: boolean;
  /** Simulates an LM call. @default answers immediately */
  readonly call?: () => Promise<void>;
}

/**
 * One search with ax's AxGEPA (24.0.21). As shipped: every option at its default, on non-empty
 * texts, because with an empty text its reflection fails silently and proposes nothing. Repaired:
 * minibatches of three as in GEPA instead of twenty, all of val on the front, and no stop after
 * five trials without a larger archive, because with one metric the archive never grows.
 */
export async function runAx(
  task: CoupledTask,
  { metricCalls, seed, isRepaired, call = async () => {} }: AxRun,
): Promise<RunFigures> {
  const examples = new Map([...task.train, ...task.val].map((example) => [example.id, example]));
  const inTrain = new Set(task.train.map(({ id }) => id));
  const seen = seenScores(task, seed);
  let texts = task.texts;
  let rollouts = 0;
  // Kept outside the predictions, which ax shows whole: each text must see only its own feedback.
  const said = new WeakMap<object, Readonly<Record<string, string>>>();
  const standIn = teacher(task.seed, call);

  const program = {
    getOptimizableComponents: () =>
      Object.entries(task.texts).map(([key, current]) => ({ key, kind: "instruction", current })),
    applyOptimizedComponents: (changed: Readonly<Record<string, string>>) => {
      texts = { ...texts, ...changed };
    },
    forward: async (_: unknown, { id }: { readonly id: string }) => {
      const example = examples.get(id) as CoupledExample;
      const shown = texts;
      for (const _text of Object.keys(example.needs)) await call();
      rollouts++;
      const score = seen(coupledScore(task, example, shown));
      const made = { id, score };
      said.set(made, directives(example, shown));
      return made;
    },
  };
  type Made = Awaited<ReturnType<typeof program.forward>>;
  const options = {
    maxMetricCalls: metricCalls,
    validationExamples: task.val.map(({ id }) => ({ id })),
    feedbackFn: ({ prediction, componentId = "" }: { prediction: Made; componentId?: string }) => {
      if (!inTrain.has(prediction.id)) {
        throw new Error(`Reflection was shown \`${prediction.id}\`.`);
      }
      return said.get(prediction)?.[componentId];
    },
  };
  const engine = new AxGEPA({
    studentAI: standIn.service,
    teacherAI: standIn.service,
    // ax reads 0 as "no seed".
    seed: seed + 1,
    ...(isRepaired && {
      minibatchSize: 3,
      paretoSetSize: task.val.length,
      earlyStoppingTrials: 1e6,
      numTrials: 1e6,
    }),
  });
  // ax's types require more of a program than it uses, and lack the metric's options and these.
  const compile = engine.compile.bind(engine) as unknown as (
    ...given: readonly unknown[]
  ) => Promise<{ optimizedProgram?: { componentMap?: Readonly<Record<string, string>> } }>;
  const metric = ({ prediction }: { prediction: Made }): number => prediction.score;
  const found = await compile(
    program,
    task.train.map(({ id }) => ({ id })),
    metric,
    options,
  );
  if (rollouts > metricCalls) throw new Error(`${rollouts} rollouts of ${metricCalls}.`);
  const best = { ...task.texts, ...found.optimizedProgram?.componentMap };
  return {
    task: task.seed,
    seed,
    val: coupledMean(task, "val", best),
    test: coupledMean(task, "test", best),
    metricCalls: rollouts,
    reflectionCalls: standIn.written(),
  };
}

/** ax makes two requests for each text: one for a feedback summary, one for the text. */
function teacher(
  taskSeed: number,
  call: () => Promise<void>,
): { readonly service: AxAIService; readonly written: () => number } {
  const writer = standInWriter(taskSeed);
  const service = bareAxService("stand-in", async ({ chatPrompt }) => {
    await call();
    // The earlier part describes the fields.
    const last = chatPrompt.at(-1);
    const prompt = last?.role === "user" && typeof last.content === "string" ? last.content : "";
    const [, current] = /^Current Value: (.*)$/m.exec(prompt) ?? [];
    const said = [...prompt.matchAll(/(?:ADD|REMOVE) kw_[qa][0-9]{2}/g)].map(([one]) => one);
    const content =
      current === undefined
        ? `Feedback Summary: ${said.join("; ") || "none"}`
        : `New Value: ${writer.write(current, said)}`;
    return {
      results: [{ index: 0, content, finishReason: "stop" }],
      modelUsage: {
        ai: "stand-in",
        model: "stand-in",
        tokens: { promptTokens: 1, completionTokens: 1, totalTokens: 2 },
      },
    };
  });
  return { service, written: () => writer.calls };
}
