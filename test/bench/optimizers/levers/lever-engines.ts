import type { Optimizer } from "espalier/optimizer";
import { bootstrapFewShot, gepa, miproV2, parameterSearch } from "espalier/optimizer";
import { pythonPackage } from "../../support/python-package.ts";
import { sourceHash } from "../../../../scripts/support/source-hash.ts";
import type { Engine } from "../engines/engines.ts";
import { searchSources } from "../engines/engines.ts";
import { recordedDspyRuns, runDspy } from "./dspy-runs.ts";
import type { LeverTask } from "./lever-task.ts";
import { runLeverSearch } from "./run-lever-search.ts";

/** Ours that is compared with DSPy's of the same name. */
export const ownMipro = "espalier, miproV2";

/** Ours over several levers, `miproV2()` first: the others are compared with it. */
export function ourLeverEngines(): readonly Engine<LeverTask>[] {
  const version = sourceHash([
    ...searchSources,
    "src/ax",
    "src/metric",
    "src/program",
    "src/signature",
    "src/study",
    "src/trainset",
    "test/bench/optimizers/levers/lever-task.ts",
    "test/bench/optimizers/levers/run-lever-search.ts",
  ]);
  const ours = (name: string, optimizer: () => Optimizer): Engine<LeverTask> => ({
    name,
    isPeer: false,
    version,
    takesPartIn: () => true,
    search: ({ shape, actsOn, metricCalls }, { task, run }) =>
      runLeverSearch(shape.environment(task, actsOn), {
        studentCalls: metricCalls,
        run,
        optimizer: optimizer(),
      }),
  });
  return [
    { ...ours(ownMipro, () => miproV2()), namesake: dspyMipro },
    ours("espalier, bootstrapFewShot", () => bootstrapFewShot()),
    ours("espalier, gepa", () => gepa()),
    {
      ...ours("espalier, parameterSearch", () => parameterSearch({ method: "tpe" })),
      takesPartIn: ({ shape }) => shape.key === "levers-param",
    },
  ];
}

const dspyVersion = "3.4.1";
const dspy = `DSPy ${dspyVersion}`;

/** What the yardstick's script calls each optimizer. */
const dspyOptimizers: Readonly<Record<string, string>> = {
  MIPROv2: "mipro",
  BootstrapFewShotWithRandomSearch: "bootrs",
  SIMBA: "simba",
  GEPA: "gepa",
};

/** DSPy's own form of `ownMipro`. */
export const dspyMipro = `${dspy}, MIPROv2`;

export const dspyNames = Object.keys(dspyOptimizers).map((name) => `${dspy}, ${name}`);

/** Python with DSPy, and Optuna, which MIPROv2 needs; a reason in a sentence without them. */
export async function dspyPython(): Promise<{ readonly python: string } | string> {
  return pythonPackage("dspy", dspyVersion, ["optuna==5.0.0"]);
}

/**
 * Optimizers of DSPy, at the settings that favoured each most; where a shape does not ask for every
 * peer, MIPROv2 alone, the best of them. Where the yardstick came with runs of theirs, these count
 * once a sample of them has been run again with the same result.
 */
export function dspyEngines(python: string): readonly Engine<LeverTask>[] {
  const recorded = recordedDspyRuns();
  return Object.entries(dspyOptimizers).map(([name, script]): Engine<LeverTask> => {
    const cellOf = (key: string, studentCalls: number) => {
      const variant = key.slice("levers-".length);
      // At 300 calls three candidates and 24 examples of val are MIPROv2's best.
      const few = script === "mipro" && variant === "all" && studentCalls === 300;
      return { optimizer: few ? "mipro-3-24" : script, variant, studentCalls };
    };
    return {
      name: `${dspy}, ${name}`,
      isPeer: true,
      version: dspy,
      takesPartIn: ({ shape }) => script === "mipro" || shape.hasEveryPeer === true,
      search: ({ shape, metricCalls }, place) =>
        runDspy(python, cellOf(shape.key, metricCalls), place),
      recorded: ({ shape, metricCalls }, place) => recorded(cellOf(shape.key, metricCalls), place),
    };
  });
}
