import { oncePer } from "../../../internal/index.ts";
import { predictorOf } from "../../candidate/predictor-of.ts";
import { estimateTokens } from "../../plan/estimate-tokens.ts";
import type { Lesson } from "../lesson/lessons.ts";
import type { ReflectiveCase } from "../lesson/reflective-cases.ts";
import { casesOf } from "../lesson/reflective-cases.ts";
import type { TextComponent } from "../strategy/text-component.ts";

/** How many lessons a reflection is shown: `least`, and up to `most` where `tokens` allow. */
export interface LessonRoom {
  readonly least: number;
  readonly most: number;
  /** For the cases of all lessons together, for each component; see `estimateTokens`. */
  readonly tokens: number;
}

/** The first lessons that fit, uncut, into the room of every component. */
export function lessonsThatFit(
  lessons: readonly Lesson[],
  components: readonly TextComponent[],
  { least, most, tokens }: LessonRoom,
): readonly Lesson[] {
  const left = components.map((component) => ({ predictor: predictorOf(component), tokens }));
  const fitting = lessons.slice(0, most).findIndex((lesson, place) => {
    for (const one of left) one.tokens -= tokensOf(lesson, one.predictor);
    return place >= least && left.some((one) => one.tokens < 0);
  });
  return lessons.slice(0, fitting === -1 ? most : fitting);
}

function tokensOf({ rollout }: Lesson, predictor: string): number {
  return casesOf(rollout, predictor).reduce((sum, one) => sum + tokensOfCase(one), 0);
}

const tokensOfCase = oncePer(
  ({ inputs, outputs, rawText, tools, feedback, after }: ReflectiveCase): number =>
    estimateTokens(JSON.stringify([inputs, outputs ?? rawText])) +
    estimateTokens(tools === undefined ? "" : JSON.stringify(tools)) +
    estimateTokens(feedback + after),
);
