import { componentId } from "../../../internal/index.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { Rollout } from "../../evaluation/index.ts";
import { renderCases } from "../../proposal/case/render-cases.ts";
import type { TextComponent } from "../../task/text-component.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import { describedProgram } from "./described-program.ts";
import { exampleAsCase } from "./example-as-case.ts";
import type { MiproV2Settings } from "../settings/mipro-v2-settings.ts";
import type { Requests } from "./requests.ts";
import type { GroundCalls } from "../settings/sizes.ts";

/** What instructions are written from, as far as it does not differ from one to the other. */
export interface Ground {
  /** What the data are like; empty if nobody said. */
  readonly data: string;
  /** What the program does; empty if nobody said. */
  readonly program: string;
  /** What each step is for, by component id; absent where nobody said. */
  readonly steps: Readonly<Record<string, string>>;
}

/** Requests without anything new after which no more are made. */
const mostIdle = 5;
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
    settings,
  }: {
    readonly requests: Requests;
    /** Of train. */
    readonly rollouts: readonly Rollout[];
    readonly texts: readonly TextComponent[];
    readonly calls: GroundCalls;
    readonly settings: MiproV2Settings;
  },
): Promise<Ground> {
  const data = await summaryOf(space, run, { requests, rollouts, calls, settings });
  const none = { data, program: "", steps: {} };
  if (calls.descriptions === 0 || !canAsk(run, calls.descriptions)) return none;
  const steps = describedProgram(space, rollouts);
  const [told] = await run.ask(requests.describeProgram, [
    { id: "mipro-v2/program", inputs: { steps } },
  ]);
  const program = told?.ok === true ? told.outputs.programDescription : "";
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
      texts.flatMap((text, place) => {
        const answer = described[place];
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
    settings: { batchSize },
  }: {
    readonly requests: Requests;
    readonly rollouts: readonly Rollout[];
    readonly calls: GroundCalls;
    readonly settings: MiproV2Settings;
  },
): Promise<string> {
  const ran = new Map(rollouts.map((rollout) => [rollout.exampleId, rollout]));
  const shuffled = run.random("mipro-v2/data", 0).shuffle(space.train);
  const observed: string[] = [];
  let idle = 0;
  for (let batch = 0; batch < calls.observations && idle < mostIdle; batch++) {
    if (!canAsk(run, 1)) break;
    const ids = shuffled.slice(batch * batchSize, (batch + 1) * batchSize);
    const cases = ids.map((id) => exampleAsCase(space, id, ran.get(id)));
    const [told] = await run.ask(observe, [
      {
        id: `mipro-v2/data/${batch}`,
        inputs: { examples: renderCases(cases, roomForExamples), before: observed.join("\n") },
      },
    ]);
    const said = told?.ok === true ? told.outputs.observations.trim() : "";
    if (said === "" || /^complete\b/i.test(said)) idle++;
    else observed.push(said);
  }
  const notes = observed.join("\n");
  if (notes === "" || calls.summary === 0 || !canAsk(run, 1)) return notes;
  const [told] = await run.ask(summarize, [{ id: "mipro-v2/summary", inputs: { notes } }]);
  return told?.ok === true ? told.outputs.summary : notes;
}

function canAsk(run: OptimizerRun, reflectionCalls: number): boolean {
  return run.fits({ rollouts: 0, reflectionCalls });
}
