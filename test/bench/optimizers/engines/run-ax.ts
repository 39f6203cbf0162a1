import type { AxAIService } from "@ax-llm/ax";
import { AxGEPA } from "@ax-llm/ax";
import { bareAxService } from "../../support/bare-ax-service.ts";
import type { Environment, Texts } from "../environments/environment.ts";
import { trueMean } from "../environments/environment.ts";
import type { RunFigures, SearchLimits } from "./run-figures.ts";

export interface AxSetting {
  readonly isRepaired: boolean;
  /** Simulates an LM call. @default answers immediately */
  readonly call?: () => Promise<void>;
}

/**
 * One search with ax's AxGEPA (24.0.21), on tasks of the first yardstick. As shipped: every option
 * at its default, on non-empty texts, because with an empty text its reflection fails silently and
 * proposes nothing. Repaired: minibatches of three as in GEPA instead of twenty, all of val on the
 * front, and no stop after five trials without a larger archive, because with one metric the
 * archive never grows. It has no cap on texts.
 */
export async function runAx(
  environment: Environment,
  { metricCalls, run }: SearchLimits,
  { isRepaired, call = async () => {} }: AxSetting,
): Promise<RunFigures> {
  const inTrain = new Set(environment.train);
  let texts = environment.texts;
  let rollouts = 0;
  // Kept outside the predictions, which ax shows whole: each text must see only its own feedback.
  const said = new WeakMap<object, Texts>();
  const mock = teacher(environment, run, call);

  const program = {
    getOptimizableComponents: () =>
      Object.entries(environment.texts).map(([key, current]) => ({
        key,
        kind: "instruction",
        current,
      })),
    applyOptimizedComponents: (changed: Texts) => {
      texts = { ...texts, ...changed };
    },
    forward: async (_: unknown, { id }: { readonly id: string }) => {
      const shown = texts;
      for (const _step of environment.ran(id)) await call();
      const score = environment.rolloutScore(shown, id, run, rollouts++);
      const made = { id, score };
      said.set(made, environment.feedback(shown, id, score));
      return made;
    },
  };
  type Made = Awaited<ReturnType<typeof program.forward>>;
  const options = {
    maxMetricCalls: metricCalls,
    validationExamples: environment.val.map((id) => ({ id })),
    feedbackFn: ({ prediction, componentId = "" }: { prediction: Made; componentId?: string }) => {
      if (!inTrain.has(prediction.id)) {
        throw new Error(`Reflection was shown \`${prediction.id}\`.`);
      }
      return said.get(prediction)?.[componentId];
    },
  };
  const engine = new AxGEPA({
    studentAI: mock.service,
    teacherAI: mock.service,
    // ax reads 0 as "no seed".
    seed: run + 1,
    ...(isRepaired && {
      minibatchSize: 3,
      paretoSetSize: environment.val.length,
      earlyStoppingTrials: 1e6,
      numTrials: 1e6,
    }),
  });
  // ax's types require more of a program than it uses, and lack the metric's options and these.
  const compile = engine.compile.bind(engine) as unknown as (
    ...given: readonly unknown[]
  ) => Promise<{ optimizedProgram?: { componentMap?: Texts } }>;
  const metric = ({ prediction }: { prediction: Made }): number => prediction.score;
  const startedAt = performance.now();
  const found = await compile(
    program,
    environment.train.map((id) => ({ id })),
    metric,
    options,
  );
  const wallMs = performance.now() - startedAt;
  if (rollouts > metricCalls) throw new Error(`${rollouts} rollouts of ${metricCalls}.`);
  const best = { ...environment.texts, ...found.optimizedProgram?.componentMap };
  return {
    task: environment.task,
    run,
    val: trueMean(environment, "val", best),
    test: trueMean(environment, "test", best),
    metricCalls: rollouts,
    texts: mock.written(),
    wallMs,
  };
}

/** ax makes two requests for each text: one for a feedback summary, one for the text. */
function teacher(
  environment: Environment,
  run: number,
  call: () => Promise<void>,
): { readonly service: AxAIService; readonly written: () => number } {
  let written = 0;
  const service = bareAxService("mock", async ({ chatPrompt }) => {
    await call();
    // The earlier part describes the fields.
    const last = chatPrompt.at(-1);
    const prompt = last?.role === "user" && typeof last.content === "string" ? last.content : "";
    const [, current] = /^Current Value: (.*)$/m.exec(prompt) ?? [];
    const feedback = [...prompt.matchAll(/(?:ADD|REMOVE) kw_[qa][0-9]{2}/g)].map(([one]) => one);
    const rewritten = (text: string): string =>
      // The yardstick's mock does not ask which component it is.
      environment.rewrite({ component: "", text, feedback, run, call: written++ });
    const content =
      current === undefined
        ? `Feedback Summary: ${feedback.join("; ") || "none"}`
        : `New Value: ${rewritten(current)}`;
    return {
      results: [{ index: 0, content, finishReason: "stop" }],
      modelUsage: {
        ai: "mock",
        model: "mock",
        tokens: { promptTokens: 1, completionTokens: 1, totalTokens: 2 },
      },
    };
  });
  return { service, written: () => written };
}
