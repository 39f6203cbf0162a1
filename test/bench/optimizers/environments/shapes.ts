import { actsOnCounts } from "./environment.ts";
import { jointShapes } from "./joint-shapes.ts";
import type { KeywordShape } from "./keyword-environment.ts";
import { keywordEnvironment } from "./keyword-environment.ts";
import type { Shape } from "./shape.ts";
import { skillEnvironment } from "./skill-environment.ts";
import { yardstickShapes } from "./yardstick-shapes.ts";

const small = [50, 50, 200] as const;
const large = [1_000, 1_000, 1_000] as const;
const simple = {
  components: 1,
  runs: "one",
  noise: 0,
  wrong: 0.25,
  sizes: small,
  failing: 1,
} as const;

/** The first yardstick, shapes a to e, and the instructions of the joint yardstick. */
export const shapes: readonly Shape[] = [
  ...yardstickShapes,
  keywords("a", "one prompt, share of keywords", {
    ...simple,
    keywords: 16,
    maxNeeded: 3,
    scoring: "share",
  }),
  keywords("b", "three steps in every example, product", {
    ...simple,
    components: 3,
    runs: "all",
    keywords: 6,
    maxNeeded: 2,
    scoring: "product",
  }),
  keywords("c", "two texts, 0/1 outcome, sd .2 added", {
    ...simple,
    components: 2,
    keywords: 8,
    maxNeeded: 2,
    scoring: "binary",
    noise: 0.2,
  }),
  {
    key: "c'",
    about: "one prompt, ten skills that drift, 0/1 by chance",
    budgets: [200, 500, 2_000],
    actsOn: "all",
    tasks: 24,
    runsOfTask: 1,
    hasSeveralTexts: false,
    environment: (task, actsOn) =>
      skillEnvironment(
        { name: "cs", skills: 10, sizes: small, wrong: 0.25 },
        task,
        actsOnCounts[actsOn],
      ),
  },
  keywords("d", "two texts, mock wrong 60 % of the time", {
    ...simple,
    components: 2,
    keywords: 8,
    maxNeeded: 3,
    scoring: "share",
    wrong: 0.6,
  }),
  keywords(
    "e",
    "one prompt, val of 1,000, 5 % fail",
    { ...simple, keywords: 12, maxNeeded: 1, scoring: "share", sizes: large, failing: 0.05 },
    [2_000, 5_000, 10_000],
  ),
  ...jointShapes,
];

function keywords(
  key: string,
  about: string,
  shape: Omit<KeywordShape, "name">,
  budgets: readonly number[] = [200, 500, 2_000],
): Shape {
  return {
    key,
    about,
    budgets,
    actsOn: "three",
    tasks: 24,
    runsOfTask: 1,
    hasSeveralTexts: shape.components > 1,
    environment: (task, actsOn) =>
      keywordEnvironment({ ...shape, name: key }, task, actsOnCounts[actsOn]),
  };
}
