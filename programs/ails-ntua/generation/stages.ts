/**
 * How the authors built their pipeline up (table 5): one greedy answer from the passages; from
 * spans; two answers, of which one is drawn; chosen by the technical judge; by both judges; and
 * adjusted, which is all of it.
 */
export const generationStages = [
  "one-answer",
  "spans",
  "two-answers",
  "technical-judge",
  "user-judge",
  "adjustment",
] as const;
export type GenerationStage = (typeof generationStages)[number];

/** How a program that contains the pipeline runs it. */
export interface Pipeline {
  /** Of the draws that decide which turns the user judge sees, and which answer is taken. */
  readonly seed: number;
  /** The last stage that runs. */
  readonly upTo: GenerationStage;
}

export function includes({ upTo }: Pipeline, stage: GenerationStage): boolean {
  return generationStages.indexOf(stage) <= generationStages.indexOf(upTo);
}
