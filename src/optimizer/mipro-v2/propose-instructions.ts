import { componentId } from "../../internal/index.ts";
import type { Rejection } from "../candidate/candidate-record.ts";
import { predictorOf } from "../candidate/predictor-of.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { Rollout } from "../evaluation/index.ts";
import type { DemonstrationSet } from "../few-shot/draw-sets.ts";
import { ownLabels } from "../gepa/lesson/own-labels.ts";
import type { ReflectiveCase } from "../gepa/lesson/reflective-cases.ts";
import { reflectiveCases, teaches } from "../gepa/lesson/reflective-cases.ts";
import { extractText } from "../gepa/proposal/extract-text.ts";
import { objection } from "../gepa/proposal/proposal-checks.ts";
import { rejectionReasonOf } from "../gepa/proposal/reflective-proposer.ts";
import { renderCases } from "../gepa/proposal/render-cases.ts";
import type { TextComponent } from "../gepa/strategy/text-component.ts";
import { isText } from "../gepa/strategy/text-component.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { Ground } from "./ground.ts";
import type { MiproV2Settings } from "./mipro-v2-settings.ts";
import type { Requests } from "./requests.ts";
import { demonstrationAsCase } from "./shown-runs.ts";
import { tips } from "./tips.ts";

/** Demonstrations in one request. */
const mostDemonstrations = 3;
/** Runs with comments in one request. */
export const mostComments = 6;
/** Tokens of each of the two. */
export const roomForRuns = 4_000;

/** The instructions of each step, its own first, and those that checks refused. */
export interface Proposed {
  readonly instructions: ReadonlyMap<TextComponent, readonly TextComponent[]>;
  readonly rejections: readonly Rejection[];
}

/**
 * Asks for `count` instructions of each step, all side by side. The step's own is one more: none is
 * written for its place.
 */
export async function proposeInstructions(
  space: SearchSpace,
  run: OptimizerRun,
  {
    requests,
    ground,
    texts,
    rollouts,
    setsOf,
    passing,
    count,
    iteration,
    settings: { checks },
  }: {
    readonly requests: Requests;
    readonly ground: Ground;
    readonly texts: readonly TextComponent[];
    /** Of train. */
    readonly rollouts: readonly Rollout[];
    /** The sets of a predictor; a request shows one. */
    readonly setsOf: (predictor: string) => readonly DemonstrationSet[];
    /** Comments are shown of runs with a lower score. */
    readonly passing: number;
    readonly count: number;
    readonly iteration: number;
    readonly settings: MiproV2Settings;
  },
): Promise<Proposed> {
  const asked = texts.flatMap((text) =>
    Array.from({ length: count }, (_, place) => requestFor(text, place + 1)),
  );
  const answers = asked.length === 0 ? [] : await run.ask(requests.propose, asked);
  const labels = ownLabels(space);
  const instructions = new Map(texts.map((text) => [text, [text]]));
  const rejections: Rejection[] = [];
  for (const [place, { text, cases }] of asked.entries()) {
    const held = instructions.get(text) as TextComponent[];
    const answer = answers[place];
    if (answer === undefined) continue;
    const id = componentId(text);
    const about = { iteration, parents: [0], components: [id] };
    if (!answer.ok) {
      rejections.push({ ...about, reason: rejectionReasonOf(answer.failure.code), detail: answer.failure.message });
      continue;
    }
    const value = extractText(answer.outputs.newInstruction);
    const isTried = held.some((one) => one.value === value);
    const found = objection(checks, value, {
      current: text.value,
      isTried,
      cases,
      labels: [...new Set(cases.map(({ exampleId }) => exampleId))].flatMap(labels),
      known: [space.describe(text), ...space.components.filter(isText).map((one) => one.value)],
    });
    if (found !== null) rejections.push({ ...about, ...found, texts: { [id]: value } });
    else if (!isTried) held.push({ ...text, value });
  }
  return { instructions, rejections };

  function requestFor(text: TextComponent, number: number) {
    const id = componentId(text);
    const predictor = predictorOf(text);
    const random = run.random(`mipro-v2/proposal/${id}`, number);
    const shown = shownSet(setsOf(predictor), number)
      .slice(0, mostDemonstrations)
      .map(demonstrationAsCase);
    const commented = rollouts.filter(
      (one) =>
        one.score.kind === "scored" && one.score.value < passing && teaches(one, predictor),
    );
    const comments = reflectiveCases(random.sample(commented, mostComments), predictor);
    const about = ground.steps[id];
    return {
      text,
      id: `mipro-v2/proposal/${id}/${number}`,
      cases: [...shown, ...comments],
      inputs: {
        instruction: text.value,
        step: [space.describe(text), ...(about === undefined ? [] : [about])].join("\n\n"),
        program: ground.program,
        data: ground.data,
        demonstrations: rendered(shown),
        comments: rendered(comments),
        tip: random.choice(tips),
      },
    };
  }
}

function rendered(cases: readonly ReflectiveCase[]): string {
  return cases.length === 0 ? "" : renderCases(cases, roomForRuns);
}

/** The set of that number, or else the next that is not empty. */
function shownSet(sets: readonly DemonstrationSet[], number: number): DemonstrationSet {
  const place = number % Math.max(1, sets.length);
  const inTurn = [...sets.slice(place), ...sets.slice(0, place)];
  return inTurn.find((set) => set.length > 0) ?? [];
}
