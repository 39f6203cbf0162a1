import type { JsonObject } from "../../contract/index.ts";
import { componentId, isObject, withoutImages } from "../../internal/index.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { Rollout } from "../evaluation/index.ts";
import type { GroundCalls } from "./sizes.ts";
import { batchSize } from "./sizes.ts";
import type { Requests } from "./requests.ts";
import type { ReflectiveCase } from "../proposal/case/reflective-cases.ts";
import { renderCases } from "../proposal/case/render-cases.ts";
import type { SearchSpace, TextComponent } from "../task/search-space.ts";

/** What instructions are written from, as far as it does not differ from one to the other. */
export interface Ground {
  /** What the data are like; empty if unknown. */
  readonly data: string;
  /** What the program does; empty if unknown. */
  readonly program: string;
  /** What each step is for, by component id; absent where unknown. */
  readonly steps: Readonly<Record<string, string>>;
}

/** Requests without anything new after which no more are made. */
const maxIdle = 5;
/** Tokens of examples in one request. */
const roomForExamples = 8_000;

/** Makes the reflection LM read train and the program. A call without a result leaves a gap. */
export async function groundOf(
  space: SearchSpace,
  run: OptimizerRun,
  {
    requests,
    rollouts,
    texts,
    calls,
  }: {
    readonly requests: Requests;
    /** Of train. */
    readonly rollouts: readonly Rollout[];
    readonly texts: readonly TextComponent[];
    readonly calls: GroundCalls;
  },
): Promise<Ground> {
  const data = await summaryOf(space, run, { requests, rollouts, calls });
  const none = { data, program: "", steps: {} };
  if (calls.descriptions === 0 || !canAsk(run, calls.descriptions)) return none;
  const steps = describedProgram(space, rollouts);
  const [answer] = await run.ask(requests.describeProgram, [
    { id: "mipro-v2/program", inputs: { steps } },
  ]);
  const program = answer?.ok === true ? answer.outputs.programDescription : "";
  const described = await run.ask(
    requests.describeStep,
    texts.map((text) => ({
      id: `mipro-v2/step/${componentId(text)}`,
      inputs: { steps, program, step: space.describe(text) },
    })),
  );
  return {
    data,
    program,
    steps: Object.fromEntries(
      texts.flatMap((text, index) => {
        const answer = described[index];
        return answer?.ok === true ? [[componentId(text), answer.outputs.stepDescription]] : [];
      }),
    ),
  };
}

async function summaryOf(
  space: SearchSpace,
  run: OptimizerRun,
  {
    requests: { observe, summarize },
    rollouts,
    calls,
  }: {
    readonly requests: Requests;
    readonly rollouts: readonly Rollout[];
    readonly calls: GroundCalls;
  },
): Promise<string> {
  const ran = new Map(rollouts.map((rollout) => [rollout.exampleId, rollout]));
  const shuffled = run.random("mipro-v2/data", 0).shuffle(space.train);
  const observed: string[] = [];
  let idle = 0;
  for (let batch = 0; batch < calls.observations && idle < maxIdle; batch++) {
    if (!canAsk(run, 1)) break;
    const ids = shuffled.slice(batch * batchSize, (batch + 1) * batchSize);
    const cases = ids.map((id) => exampleAsCase(space, id, ran.get(id)));
    const [described] = await run.ask(observe, [
      {
        id: `mipro-v2/data/${batch}`,
        inputs: { examples: renderCases(cases, roomForExamples), before: observed.join("\n") },
      },
    ]);
    const said = described?.ok === true ? described.outputs.observations.trim() : "";
    if (said === "" || /^complete\b/i.test(said)) idle++;
    else observed.push(said);
  }
  const notes = observed.join("\n");
  if (notes === "" || calls.summary === 0 || !canAsk(run, 1)) return notes;
  const [described] = await run.ask(summarize, [{ id: "mipro-v2/summary", inputs: { notes } }]);
  return described?.ok === true ? described.outputs.summary : notes;
}

function canAsk(run: OptimizerRun, reflectionCalls: number): boolean {
  return run.fits({ rollouts: 0, reflectionCalls });
}

/** Orders of steps that are shown, the most frequent first. */
const maxOrders = 5;
/** Calls of one order that are shown. */
const longestOrder = 30;

/** A program as far as it declares itself: steps, their texts, and how runs went through them. */
function describedProgram(space: SearchSpace, rollouts: readonly Rollout[]): string {
  const { name, components } = space;
  const steps = components.flatMap((component) =>
    component.kind === "instruction"
      ? [`${space.describe(component)}\nIts instruction: ${component.value}`]
      : [],
  );
  const orders = new Map<string, number>();
  for (const { lesson } of rollouts) {
    const paths = (lesson?.steps ?? []).map(({ path }) => path);
    if (paths.length === 0) continue;
    const more = paths.length > longestOrder ? ` -> ... (${paths.length} calls)` : "";
    const order = paths.slice(0, longestOrder).join(" -> ") + more;
    orders.set(order, (orders.get(order) ?? 0) + 1);
  }
  const seen = [...orders].toSorted((one, other) => other[1] - one[1]).slice(0, maxOrders);
  return [
    `Program \`${name}\`.`,
    ...steps,
    ...(seen.length === 0
      ? []
      : [
          "Calls in the order of runs:",
          ...seen.map(([order, runs]) => `- ${order} (${runs} runs)`),
        ]),
  ].join("\n\n");
}

/** What a case lacks that stands for no call of a predictor. */
export const bareCase: Pick<ReflectiveCase, "path" | "score" | "rawText" | "after" | "wiring"> = {
  path: "",
  score: null,
  rawText: null,
  after: "",
  wiring: { from: {}, to: {} },
};

/** An example of train as a case: its input and, if it was run, what the program made of it. */
function exampleAsCase(
  { inputOf }: SearchSpace,
  exampleId: string,
  rollout: Rollout | undefined,
): ReflectiveCase {
  const input = inputOf?.(exampleId) ?? rollout?.lesson?.steps[0]?.inputs;
  const inputs = isObject(input) ? (withoutImages(input) as JsonObject) : {};
  const { output, feedback, blame = [], failure } = rollout?.lesson ?? {};
  const comments = [
    ...(rollout?.score.kind === "scored" ? [`Score ${rollout.score.value}.`] : []),
    ...(feedback === undefined ? [] : [feedback]),
    ...blame.map(({ path, text }) => `On \`${path}\`: ${text}`),
    ...(failure === undefined ? [] : [`The run failed: ${failure.message}`]),
  ];
  return {
    ...bareCase,
    exampleId,
    inputs,
    outputs: output === undefined ? {} : { output },
    feedback: comments.join("\n"),
  };
}
