import { refuse, scriptOptions } from "../../../scripts/support/script-options.ts";
import type { CellSelection } from "./environments/cells.ts";
import { isActsOn, wholeNumbers } from "./environments/cells.ts";
import { shapes } from "./environments/shapes.ts";
import { leverShapes } from "./levers/lever-shapes.ts";
import { yardstickVariants } from "./environments/yardstick-shapes.ts";

/** What the bench measures, in this order: times first, while the process is quiet. */
export const parts = {
  overhead: "time of the engine itself per metric call, of ours and gepa's",
  "wall-clock": "time of a search whose LM takes 20 ms a call, of ours and ax's",
  "process-cost": "CPU of whole processes that make one search, of ours and gepa's",
  shapes: "ours, gepa and plain GEPA on tasks of many shapes; ax on the first yardstick",
  variants: "ours, gepa and plain GEPA on variants of the first yardstick",
  levers: "miproV2() and DSPy's optimizers over texts, demonstrations and parameters",
  ablations: "the defaults less one part of them, and plain GEPA with one part more",
} as const;

export type Part = keyof typeof parts;

const list = (words: readonly string[]): string => words.join(",");
const keys = [...shapes, ...yardstickVariants, ...leverShapes].map(({ key }) => key);
const help = {
  command: "npm run bench:optimizers",
  about: [
    "Compares gepa() with gepa 0.1.4, ax's AxGEPA and plain GEPA on synthetic tasks, in parts:",
    ...Object.entries(parts).map(([part, about]) => `  ${part.padEnd(14)}${about}`),
    `Shapes of tasks: ${shapes.map(({ key }) => key).join(", ")};`,
    `variants of the first yardstick: ${yardstickVariants.map(({ key }) => key).join(", ")};`,
    `of levers: ${leverShapes.map(({ key }) => key).join(", ")}, whose budgets are LM calls.`,
    "Exits with 1 if a limit is missed, a peer is above ours on a shape by more than the interval,",
    "or nothing could be measured.",
  ].join("\n"),
  options: {
    json: { about: "Also print the figures as a last line of JSON" },
    parts: { about: "Only these parts", value: "WORDS", preset: list(Object.keys(parts)) },
    shapes: { about: "Only these shapes and variants: a,additive+noise", value: "KEYS" },
    budgets: { about: "Only these caps on metric calls: 200,500", value: "N,N" },
    tasks: { about: "Numbers of the tasks: 0-23 or 0,4", value: "N-N" },
    runs: { about: "At most so many runs of each task of a yardstick", value: "N" },
    "acts-on": {
      about: "Mocks that act on one, three or all lessons; own: that of the shape. Of shapes only",
      value: "WORDS",
      preset: "own,one,three,all",
    },
    engines: {
      about: "Only engines whose names contain one of these, and espalier's defaults",
      value: "WORDS",
    },
    repeated: { about: "Stored runs of a peer to run again in each cell", value: "N", preset: "1" },
    rounds: { about: "Rounds of overhead and process-cost", value: "N", preset: "5" },
    "wall-tasks": {
      about: "Tasks of wall-clock",
      value: "N",
      preset: "3",
    },
    "in-flight": {
      about: "Concurrent rollouts of ours in wall-clock",
      value: "N",
      preset: "32",
    },
    store: {
      about: "Where runs are stored, to go on from: a path in this repository",
      value: "FILE",
      preset: ".espalier/bench/optimizers.jsonl",
    },
  },
};

export interface BenchRequest {
  readonly json: boolean;
  readonly parts: ReadonlySet<Part>;
  readonly selection: CellSelection;
  /** Whether an engine of that name is asked for. */
  readonly isWanted: (engine: string) => boolean;
  readonly repeated: number;
  readonly rounds: number;
  readonly wallTasks: number;
  readonly inFlight: number;
  readonly store: string;
}

/** Parses the command line; `--help` and invalid options end the process before measuring. */
export function benchRequest(words?: readonly string[]): BenchRequest {
  const { values, flags } = scriptOptions<Exclude<keyof typeof help.options, "json">>(help, words);
  const wordsOf = (option: keyof typeof values, known: readonly string[]): readonly string[] => {
    const given = values[option]?.split(",") ?? known;
    const unknown = given.find((word) => !known.includes(word));
    if (unknown === undefined) return given;
    return refuse(`--${option} "${unknown}": expected some of ${known.join(", ")}.`, help);
  };
  const numbersOf = (option: "budgets" | "tasks"): readonly number[] | null => {
    const text = values[option];
    if (text === undefined) return null;
    return (
      wholeNumbers(text) ?? refuse(`--${option} "${text}": expected numbers, as 0-23 or 0,4.`, help)
    );
  };
  const countOf = (option: keyof typeof values, least: number): number => {
    const text = values[option] ?? "";
    if (/^\d{1,7}$/.test(text) && Number(text) >= least) return Number(text);
    return refuse(`--${option} "${text}": expected a whole number of at least ${least}.`, help);
  };
  const engines = values.engines?.split(",");
  return {
    json: flags.has("json"),
    parts: new Set(wordsOf("parts", Object.keys(parts)) as readonly Part[]),
    selection: {
      shapes: values.shapes === undefined ? null : wordsOf("shapes", keys),
      budgets: numbersOf("budgets"),
      tasks: numbersOf("tasks"),
      runsOfTask: values.runs === undefined ? null : countOf("runs", 1),
      actsOn: wordsOf("acts-on", ["own", "one", "three", "all"]).filter(isActsOn),
    },
    isWanted: (name) => engines?.some((word) => name.includes(word)) ?? true,
    repeated: countOf("repeated", 0),
    rounds: countOf("rounds", 1),
    wallTasks: countOf("wall-tasks", 1),
    inFlight: countOf("in-flight", 1),
    store: values.store ?? "",
  };
}
