import type { Candidate, LanguageModel, Study } from "espalier";
import { evaluate } from "espalier/evaluate";
import type { Optimizer } from "espalier/optimizer";
import { autoSearch, bootstrapFewShot, gepa, optimize } from "espalier/optimizer";
import { randomSource } from "../../../src/internal/index.ts";
import type { PythonPackage } from "../support/python-package.ts";
import type { Phase } from "./endpoint.ts";
import type { Deal, RealTask } from "./tasks.ts";
import { studyOf } from "./tasks.ts";

/** Calls of the student that a search may make, other than for its test. */
export const budget = 200;
export const threads = 8;

/** What a search works on. */
export interface CellTask {
  readonly task: RealTask;
  readonly deal: Deal;
  readonly seed: number;
  /** Asks the endpoint in a phase of the cell's run. */
  readonly student: (phase: Phase) => LanguageModel;
  readonly reflection: LanguageModel | null;
  readonly dspy: PythonPackage | string;
  /** As `dspy_search.py` takes it. */
  readonly given: object;
}

/** Score of each row, in [0, 1], in the order of the deal. */
export type Scores = readonly number[];

/** What a search found. */
export interface Found {
  readonly test: Scores;
  /** Outputs of the rows of test, in the order of the signature; none without usable ones. */
  readonly said: readonly (readonly unknown[])[];
  readonly further: Scores;
  readonly instruction: string;
  readonly demonstrations: number;
}

export interface Search {
  readonly name: string;
  readonly who: "ours" | "peer" | "baseline";
  readonly reflects: boolean;
  readonly run: (cell: CellTask) => Promise<Found>;
}

const labelled = (count: number): Search => ({
  name: `labels-${count}`,
  who: "baseline",
  reflects: false,
  run: (cell) => ours(cell, async (study) => labelsShown(study, cell, count)),
});

/** All of train with its labels; each call sees those nearest to its input by their words. */
const nearest = (k: number): Search => ({
  name: `nearest-${k}`,
  who: "baseline",
  reflects: false,
  run: (cell) =>
    ours(cell, async (study) =>
      labelsShown(study, cell, cell.deal.train.length).map((demos) => ({
        ...demos,
        nearest: { k, by: "words" },
      })),
    ),
});

const optimized = (name: string, optimizer: Optimizer, reflects: boolean): Search => ({
  name,
  who: "ours",
  reflects,
  run: (cell) =>
    ours(cell, async (study) => {
      const { components } = await optimize(study, {
        optimizer,
        budget: { metricCalls: budget },
        lm: cell.student("search"),
        ...(cell.reflection && { reflectionLm: cell.reflection }),
        concurrency: threads,
        seed: cell.seed,
      });
      return components;
    }),
});

const dspy = (name: string, reflects: boolean, options: object): Search => ({
  name,
  who: "peer",
  reflects,
  run: async ({ dspy, given }) => {
    if (typeof dspy === "string") throw new Error(dspy);
    const script = new URL("./dspy_search.py", import.meta.url).pathname;
    const input = { ...given, ...options };
    return JSON.parse(await dspy.run(script, JSON.stringify(input))) as Found;
  },
});

/** The rows of the table, in its order. */
export const searches: readonly Search[] = [
  {
    name: "declared",
    who: "baseline",
    reflects: false,
    run: (cell) => ours(cell, async () => []),
  },
  labelled(4),
  labelled(8),
  labelled(16),
  nearest(4),
  nearest(8),
  nearest(16),
  optimized("default", autoSearch(), true),
  optimized("bootstrap", bootstrapFewShot(), false),
  optimized("gepa", gepa(), true),
  // Its default adapter asks in words; the other sends a schema, as our requests do.
  ...(["json", "chat"] as const).flatMap((adapter) => [
    dspy(`dspy-declared-${adapter}`, false, { search: "declared", adapter }),
    // 30 rows of val leave room for two random sets besides its first three.
    dspy(`dspy-random-search-${adapter}`, false, {
      search: "random-search",
      adapter,
      valRows: 30,
      programs: 2,
    }),
    dspy(`dspy-knn-${adapter}`, false, { search: "knn", adapter, k: 8 }),
    // 40 + 4 x 20 + 40 calls, and up to 40 to bootstrap.
    dspy(`dspy-mipro-${adapter}`, true, {
      search: "mipro",
      adapter,
      valRows: 40,
      candidates: 4,
      trials: 4,
      minibatch: 20,
    }),
    dspy(`dspy-gepa-${adapter}`, true, { search: "gepa", adapter }),
  ]),
];

/** Runs a search of ours and scores what it found, as the peers' script does. */
async function ours(
  { task, deal, student }: CellTask,
  search: (study: Study) => Promise<Candidate>,
): Promise<Found> {
  const study = studyOf(task, deal);
  const components = await search(study);
  const program = study.program.with(components);
  const resultsOn = async (split: "test" | "further"): Promise<Pick<Found, "test" | "said">> => {
    const examples = deal[split];
    if (examples.length === 0) return { test: [], said: [] };
    const { rows } = await evaluate({
      program,
      examples,
      metric: study.objective,
      lm: student(split),
      concurrency: threads,
      resamples: 0,
    });
    const scores = rows.map(({ exampleId, score }) => {
      if (score.kind !== "scored") throw new Error(`${exampleId} of ${task.name} has no score.`);
      return Number(score.value.toFixed(4));
    });
    return { test: scores, said: rows.map((row) => Object.values(Object(row.output))) };
  };
  const shown = components.find(({ kind }) => kind === "demos");
  const text = components.find(({ kind }) => kind === "instruction");
  return {
    ...(await resultsOn("test")),
    further: (await resultsOn("further")).test,
    instruction: text?.kind === "instruction" ? text.value : task.instruction,
    demonstrations: shown?.kind === "demos" ? shown.value.length : 0,
  };
}

/** Random rows of train with their labels, as anybody can show them without a search. */
function labelsShown({ program }: Study, { deal, seed }: CellTask, count: number): Candidate {
  const rows = randomSource(seed, "bench/real/labels").shuffle(deal.train).slice(0, count);
  const path = Object.keys(program.predictors)[0] ?? "";
  const value = rows.map(({ id, input, labels }) => ({
    exampleId: id,
    inputs: input,
    outputs: labels as Record<string, string | string[]>,
  }));
  return [{ kind: "demos", path, value }];
}
