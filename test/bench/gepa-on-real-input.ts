/**
 * Compares gepa() at its defaults with plain GEPA on real input: the notes-guided retriever on
 * MTRAG and on multi-hop questions, HANRAG on multi-hop questions. Equal budgets, ten seeds,
 * paired, in process with the rehearsal LM.
 */
import { evaluate } from "espalier/evaluate";
import { gepa, optimize } from "espalier/optimizer";
import { rehearsalLm } from "@espalier/rehearsal";
import declareHanrag from "../../optimizers/hanrag.ts";
import declareNotesGuided from "../../optimizers/notes-guided.ts";
import type { RunFigures } from "./gepa/run-espalier.ts";
import { figuresOf, pairedGain } from "./gepa/figures.ts";
import { plainGepa } from "./gepa/plain-gepa.ts";
import { benchOptions, report } from "./support/bench-options.ts";
import { gepaWith } from "../optimizer/support/gepa-with.ts";
import { rehearsalParts } from "../support/rehearsal-parts.ts";

const notesGuided = await declareNotesGuided(rehearsalParts());
const hanrag = await declareHanrag(rehearsalParts());

const { json, sizes } = benchOptions(
  "gepa-on-real-input",
  "Compares gepa() with plain GEPA on MTRAG and multi-hop questions, with the rehearsal LM.",
  { seeds: [10, "Paired runs of each study"], budget: [500, "Metric calls per run"] },
);
const arms = { espalier: gepa(), plain: gepaWith(plainGepa()) };
const lm = rehearsalLm();
const lines: string[] = [];
const figures: Record<string, object> = {};

const inputs = [
  [notesGuided, "mtrag-together"],
  [notesGuided, "musique"],
  [notesGuided, "2wikimultihopqa"],
  [hanrag, "musique"],
] as const;

for (const [{ name: system, variants }, set] of inputs) {
  const name = `${system} on ${set}`;
  const study = await variants?.[set]?.();
  if (study === undefined) throw new Error(`${system} has no variant ${set}.`);
  const { program, trainset, objective: metric } = study;
  const examples = trainset.splits.test;
  const before = (await evaluate({ program, examples, metric, lm, resamples: 0 })).value ?? NaN;
  const runs: Record<keyof typeof arms, RunFigures[]> = { espalier: [], plain: [] };
  for (let seed = 0; seed < sizes.seeds; seed++) {
    for (const arm of ["espalier", "plain"] as const) {
      const budget = { metricCalls: sizes.budget };
      const found = await optimize(study, { optimizer: arms[arm], budget, lm, seed });
      const after = await evaluate({ program: found.program, examples, metric, lm, resamples: 0 });
      const { metricCalls, reflectionCalls } = found.spent;
      const val = found.best.selection.value;
      runs[arm].push({
        task: 0,
        seed,
        val,
        test: after.value ?? NaN,
        metricCalls,
        reflectionCalls,
      });
    }
    console.error(`${name}, seed ${seed}: done`);
  }
  const [ours, plain, gain] = [
    figuresOf(runs.espalier),
    figuresOf(runs.plain),
    pairedGain(runs.espalier, runs.plain),
  ];
  figures[name] = { seedTest: before, espalier: ours, plain, gain };
  const shown = (value: number): string => value.toFixed(4);
  const ofSet = [
    `${name}, ${metric.name}: test of the seed ${shown(before)}`,
    ...Object.entries({ espalier: ours, plain }).map(
      ([arm, one]) =>
        `  ${arm.padEnd(8)} val ${shown(one.val)}, test ${shown(one.test)}, ${one.metricCalls.toFixed(0)} metric calls, ${one.reflectionCalls.toFixed(0)} reflection calls`,
    ),
    `  difference on test ${shown(gain.difference)} [${shown(gain.interval?.low ?? NaN)}, ${shown(gain.interval?.high ?? NaN)}], 95 %, paired by seed`,
  ];
  lines.push(...ofSet);
  // Printed now, so that an interruption of the next set loses nothing.
  console.error(ofSet.join("\n"));
}
report(
  json,
  [
    `${sizes.budget} metric calls per run, ${sizes.seeds} seeds`,
    ...lines,
    "rehearsal: figures from the rehearsal LM say nothing about a real model",
  ].join("\n"),
  { rehearsal: true, ...sizes, figures },
);
