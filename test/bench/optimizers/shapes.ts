import { dirname } from "node:path";
import { sharedData } from "../../support/shared-data.ts";
import { fromYardstick } from "../../support/yardstick/coupled-task.ts";
import { readYardstick } from "../../support/yardstick/yardstick-task.ts";
import type { ActsOn, Environment } from "./environment.ts";
import { actsOnCounts } from "./environment.ts";
import type { KeywordShape } from "./keyword-environment.ts";
import { jointEnvironment, readJointYardstick } from "./joint-environment.ts";
import { keywordEnvironment } from "./keyword-environment.ts";
import { skillEnvironment } from "./skill-environment.ts";
import { yardstickEnvironment } from "./yardstick-environment.ts";

/** A family of tasks, under the key that selects it. */
export interface Shape {
  readonly key: string;
  readonly about: string;
  /** Caps on metric calls. */
  readonly budgets: readonly number[];
  /** How much its own stand-in acts on. */
  readonly actsOn: ActsOn;
  /** Tasks for development, and runs of each. */
  readonly tasks: number;
  readonly runsOfTask: number;
  /** Cap on texts by budget; absent: none. */
  readonly texts?: Readonly<Record<number, number>>;
  readonly hasSeveralTexts: boolean;
  /** What it wants: a reason in a sentence if its tasks are missing. */
  readonly isMissing?: string;
  readonly environment: (task: number, actsOn: ActsOn) => Environment;
}

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

export const shapes: readonly Shape[] = [
  ...yardstick(),
  keywords("a", "one prompt, share of keywords", {
    ...simple,
    keywords: 16,
    mostNeeded: 3,
    scoring: "share",
  }),
  keywords("b", "three steps in every example, product", {
    ...simple,
    components: 3,
    runs: "all",
    keywords: 6,
    mostNeeded: 2,
    scoring: "product",
  }),
  keywords("c", "two texts, 0/1 outcome, sd .2 added", {
    ...simple,
    components: 2,
    keywords: 8,
    mostNeeded: 2,
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
  keywords("d", "two texts, stand-in wrong 60 % of the time", {
    ...simple,
    components: 2,
    keywords: 8,
    mostNeeded: 3,
    scoring: "share",
    wrong: 0.6,
  }),
  keywords(
    "e",
    "one prompt, val of 1,000, 5 % fail",
    { ...simple, keywords: 12, mostNeeded: 1, scoring: "share", sizes: large, failing: 0.05 },
    [2_000, 5_000, 10_000],
  ),
  ...(await joint()),
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

/** The joint yardstick's instructions; half as many metric calls as it has calls of the student. */
async function joint(): Promise<readonly Shape[]> {
  const data = sharedData("../bench/joint/joint.mjs");
  const yardstick = data.isAbsent ? null : await readJointYardstick(data.file);
  return (
    [
      ["instr", "instructions matter alone"],
      ["all", "demonstrations and parameters matter, too"],
      ["graded", "the same, with scores in tenths"],
      ["noise", "the same, with much luck"],
    ] as const
  ).map(([variant, about]) => ({
    key: `joint-${variant}`,
    about: `the joint yardstick, two steps, ${about}`,
    budgets: [150, 500],
    actsOn: "three" as const,
    tasks: 5,
    runsOfTask: 6,
    hasSeveralTexts: true,
    ...(data.isAbsent && { isMissing: "../shared/bench/joint is not beside the repository" }),
    environment: (task, actsOn) => {
      if (yardstick === null) throw new Error("The joint yardstick is missing.");
      return jointEnvironment(yardstick, variant, task, actsOnCounts[actsOn]);
    },
  }));
}

/** The first yardstick: two texts, of which each example is about one. */
function yardstick(): readonly Shape[] {
  const data = sharedData("../bench/gepa/task.json");
  const { tasks = [], seedTexts = {} } = data.isAbsent ? {} : readYardstick(dirname(data.file));
  return (["additive", "conflict"] as const).map((variant) => {
    const ofVariant = tasks
      .filter((task) => task.variant === variant)
      .map((task) => fromYardstick(task, seedTexts));
    return {
      key: variant,
      about: `the first yardstick, ${variant}`,
      budgets: [200, 500],
      actsOn: "one" as const,
      tasks: 5,
      runsOfTask: 20,
      texts: { 200: 18, 500: 40 },
      hasSeveralTexts: true,
      ...(data.isAbsent && { isMissing: "../shared/bench/gepa is not beside the repository" }),
      environment: (place, actsOn) => {
        const task = ofVariant[place];
        if (task === undefined) throw new Error(`${variant} has no task ${place}`);
        return yardstickEnvironment(task, place, actsOnCounts[actsOn]);
      },
    };
  });
}
