import { oncePer } from "../../../internal/index.ts";
import { predictorOf } from "../../candidate/components.ts";
import type { Rollout } from "../../evaluation/index.ts";
import { estimateTokens } from "../../plan/plan-costs.ts";
import type { ReflectiveCase } from "./reflective-cases.ts";
import { casesOf } from "./reflective-cases.ts";
import type { TextComponent } from "../../task/search-space.ts";

/** How many lessons a reflection is shown: `least`, and up to `most` where `tokens` allow. */
export interface LessonRoom {
  readonly least: number;
  readonly most: number;
  /** For the cases of all lessons together, for each component; see `estimateTokens`. */
  readonly tokens: number;
}

/** Where nobody says otherwise. */
export const roomForLessons: LessonRoom = { least: 3, most: 8, tokens: 6_000 };

/** The first rollouts whose cases fit, uncut, into the room of every component. */
export function rolloutsThatFit(
  rollouts: readonly Rollout[],
  components: readonly TextComponent[],
  { least, most, tokens }: LessonRoom,
): readonly Rollout[] {
  const left = components.map((component) => ({ predictor: predictorOf(component), tokens }));
  const fitting = rollouts.slice(0, most).findIndex((rollout, place) => {
    for (const one of left) one.tokens -= tokensOf(rollout, one.predictor);
    return place >= least && left.some((one) => one.tokens < 0);
  });
  return rollouts.slice(0, fitting === -1 ? most : fitting);
}

function tokensOf(rollout: Rollout, predictor: string): number {
  return casesOf(rollout, predictor).reduce((sum, one) => sum + tokensOfCase(one), 0);
}

const tokensOfCase = oncePer(
  ({ inputs, outputs, rawText, tools, feedback, after }: ReflectiveCase): number =>
    estimateTokens(JSON.stringify([inputs, outputs ?? rawText])) +
    estimateTokens(tools === undefined ? "" : JSON.stringify(tools)) +
    estimateTokens(feedback + after),
);
