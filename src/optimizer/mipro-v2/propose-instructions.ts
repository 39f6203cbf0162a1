import { checkedIn, ownLabels } from "../proposal/check/proposal-check.ts";
import { componentId } from "../../internal/index.ts";
import type { Rejection } from "../candidate/candidate-record.ts";
import { predictorOf } from "../candidate/components.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { PredictorDemonstration } from "../demonstrations/index.ts";
import type { Rollout } from "../evaluation/index.ts";
import type { DemonstrationSet } from "../few-shot/draw-sets.ts";
import { bareCase } from "./ground.ts";
import type { Ground } from "./ground.ts";
import type { Requests } from "./requests.ts";
import type { ReflectiveCase } from "../proposal/case/reflective-cases.ts";
import { reflectiveCases, teaches } from "../proposal/case/reflective-cases.ts";
import { renderCases } from "../proposal/case/render-cases.ts";
import { extractText } from "../proposal/check/extract-text.ts";
import { defaultChecks, objection } from "../proposal/check/proposal-checks.ts";
import { rejectionReasonOf } from "../proposal/reflective-proposer.ts";
import type { SearchSpace, TextComponent } from "../task/search-space.ts";

/** Demonstrations in one request. */
const maxDemonstrations = 3;
/** Runs with comments in one request. */
export const maxComments = 6;
/** Tokens of each of the two. */
const roomForRuns = 4_000;

/** Instructions that passed all checks, and those that did not. */
interface Proposed {
  readonly texts: readonly TextComponent[];
  readonly rejections: readonly Rejection[];
}

/** What instructions are written from in one round. */
interface ProposalRound {
  /** Counted from 0. */
  readonly round: number;
  readonly iteration: number;
  /** Instructions of each step to ask for. */
  readonly count: number;
  /** The present instruction of each step. */
  readonly present: readonly TextComponent[];
  /** Whether a step has, or had, such an instruction. */
  readonly isKnown: (text: TextComponent) => boolean;
  readonly ground: Ground;
  /** The sets of a predictor; a request shows one. */
  readonly setsOf: (predictor: string) => readonly DemonstrationSet[];
  /** Runs of train whose comments a request shows some of. */
  readonly commented: readonly Rollout[];
}

/**
 * Asks for instructions of each step, all side by side. Where a step's own stands among those that
 * trials choose from, it is one more: none is written for its place.
 */
export async function proposeInstructions(
  space: SearchSpace,
  run: OptimizerRun,
  requests: Requests,
  { round, iteration, count, present, isKnown, ground, setsOf, commented }: ProposalRound,
): Promise<Proposed> {
  const asked = present.flatMap((text) =>
    Array.from({ length: count }, (_, index) => requestFor(text, index + 1)),
  );
  const isAffordable = run.fits({ rollouts: 0, reflectionCalls: asked.length });
  if (asked.length === 0 || !isAffordable) return { texts: [], rejections: [] };
  const answers = await run.ask(requests.propose, asked);
  const labels = ownLabels(space);
  const texts: TextComponent[] = [];
  const rejections: Rejection[] = [];
  for (const [index, { text, cases }] of asked.entries()) {
    const answer = answers[index];
    if (answer === undefined) continue;
    const id = componentId(text);
    const about = { iteration, parents: [0], components: [id] };
    if (!answer.ok) {
      const { code, message } = answer.failure;
      rejections.push({ ...about, reason: rejectionReasonOf(code), detail: message });
      continue;
    }
    const value = extractText(answer.outputs.newInstruction);
    const proposed = { ...text, value };
    const isTried =
      isKnown(proposed) || texts.some((one) => componentId(one) === id && one.value === value);
    const { components: candidate } = space;
    const request = { component: text, place: space.describe(text), candidate, cases };
    const found = objection(defaultChecks(), value, checkedIn(request, { isTried, labels }));
    if (found !== null) rejections.push({ ...about, ...found, texts: { [id]: value } });
    else if (!isTried) texts.push(proposed);
  }
  return { texts, rejections };

  function requestFor(text: TextComponent, number: number) {
    const id = componentId(text);
    const predictor = predictorOf(text);
    const name = `mipro-v2/proposal/${round}/${id}`;
    const random = run.random(name, number);
    const shown = shownSet(setsOf(predictor), number)
      .slice(0, maxDemonstrations)
      .map(demonstrationAsCase);
    const telling = commented.filter((one) => teaches(one, predictor));
    const comments = reflectiveCases(random.sample(telling, maxComments), predictor);
    const about = ground.steps[id];
    return {
      text,
      id: `${name}/${number}`,
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
  const index = number % Math.max(1, sets.length);
  const inTurn = [...sets.slice(index), ...sets.slice(0, index)];
  return inTurn.find((set) => set.length > 0) ?? [];
}

function demonstrationAsCase({ demonstration }: PredictorDemonstration): ReflectiveCase {
  const { exampleId, inputs, outputs } = demonstration;
  return { ...bareCase, exampleId, inputs, outputs, feedback: "This is how it should be done." };
}

/** What a request may ask for, so that instructions differ; the first asks for nothing. */
export const tips: readonly string[] = [
  "",
  "Take an approach of your own that differs from the present instruction.",
  "Be short and clear.",
  "Be thorough: say all that helps to do the step well.",
  "Say what depends on this step, so that it is carried out with the greatest care.",
  "Say as whom the step should be carried out, such as an expert for just such cases.",
];
