/**
 * Compares gepa() at its defaults, plain GEPA and miproV2() on real input: the notes-guided
 * retriever on MTRAG and on multi-hop questions, HANRAG on multi-hop questions. Equal budgets, ten
 * seeds, paired, in process with the rehearsal LM. Runs are stored: an interrupted bench goes on
 * where it was, and runs again what depends on a source that has changed.
 */
import { fileURLToPath } from "node:url";
import type { Study } from "espalier";
import { evaluate } from "espalier/evaluate";
import { gepa, miproV2, optimize } from "espalier/optimizer";
import { rehearsalLm } from "@espalier/rehearsal";
import { refuse, scriptOptions } from "../../scripts/support/script-options.ts";
import declareHanrag from "../../optimizers/hanrag.ts";
import declareNotesGuided from "../../optimizers/notes-guided.ts";
import { gepaWith } from "../optimizer/support/gepa-with.ts";
import { rehearsalParts } from "../support/rehearsal-parts.ts";
import type { EngineFigures } from "./optimizers/comparison/cell-figures.ts";
import { engineFigures } from "./optimizers/comparison/cell-figures.ts";
import { runStore } from "../../scripts/support/run-store.ts";
import type { RunFigures } from "./optimizers/engines/run-figures.ts";
import { wholeNumbers } from "./optimizers/environments/cells.ts";
import { report } from "./support/bench-options.ts";
import { plainGepa } from "./support/plain-gepa.ts";
import { sourceHash } from "../../scripts/support/source-hash.ts";

const searches = {
  espalier: gepa(),
  plain: gepaWith(plainGepa()),
  mipro: miproV2(),
};
type Search = keyof typeof searches;

/** Variants by system. */
const inputs = {
  "mtrag-together": declareNotesGuided,
  musique: declareNotesGuided,
  "2wikimultihopqa": declareNotesGuided,
  "hanrag-musique": declareHanrag,
};

const help = {
  command: "npm run bench:gepa-on-real-input",
  about: [
    "Compares gepa(), plain GEPA and miproV2() on MTRAG and multi-hop questions, with the",
    `rehearsal LM. Inputs: ${Object.keys(inputs).join(", ")}.`,
    "Needs ESPALIER_MTRAG_DIR and ESPALIER_MULTIHOP_DIR.",
  ].join("\n"),
  options: {
    json: { about: "Also print the figures as a last line of JSON" },
    seeds: { about: "Seeds of the paired runs: 0-9 or 0,4", value: "N-N", preset: "0-9" },
    budget: { about: "Metric calls per run", value: "N", preset: "500" },
    inputs: { about: "Only these", value: "WORDS", preset: Object.keys(inputs).join(",") },
    searches: { about: "Only these", value: "WORDS", preset: Object.keys(searches).join(",") },
  },
};
const { values, flags } = scriptOptions<Exclude<keyof typeof help.options, "json">>(help);
const seeds =
  wholeNumbers(values.seeds ?? "") ??
  refuse(`--seeds "${values.seeds}": expected numbers, as 0-9 or 0,4.`, help);
const budget = budgetOf(values.budget ?? "");
const compared = wordsOf("searches", Object.keys(searches) as readonly Search[]);
const lm = rehearsalLm();
const file = "../../.espalier/bench/gepa-on-real-input.jsonl";
const store = runStore<RunFigures>(fileURLToPath(new URL(file, import.meta.url)));
const version = sourceHash(["src", "programs", "optimizers", "signatures", "trainsets"]);
const figures: Record<string, object> = {};

for (const input of wordsOf("inputs", Object.keys(inputs) as readonly (keyof typeof inputs)[])) {
  const { name: system, variants } = await inputs[input](rehearsalParts());
  const set = input.replace("hanrag-", "");
  const name = `${system} on ${set}`;
  const study = await variants?.[set]?.();
  if (study === undefined) throw new Error(`${system} has no variant ${set}.`);
  const before = await testOf(study.program, study);
  const runs: Partial<Record<Search, RunFigures[]>> = {};
  for (const seed of seeds) {
    for (const search of compared) {
      (runs[search] ??= []).push(await run(study, { search, seed, input }));
    }
    console.error(`${name}, seed ${seed}: done`);
  }
  // The first search is what the others are compared with.
  const [first, ...others] = compared.map((search): [Search, RunFigures[]] => [
    search,
    runs[search] ?? [],
  ]);
  if (first === undefined) continue;
  const of = Object.fromEntries([
    [first[0], engineFigures(first[0], first[1], null)],
    ...others.map(([search, made]) => [
      search,
      engineFigures(search, made, first[1], "bench/paired-gain"),
    ]),
  ]) as Readonly<Record<Search, EngineFigures>>;
  figures[name] = { seedTest: before, ...of };
  console.log(
    [
      `${name}, ${study.objective.name}: test of the seed ${before.toFixed(4)}`,
      ...Object.values(of).map(lineOf),
    ].join("\n"),
  );
}
report(
  flags.has("json"),
  [
    `${budget} metric calls per run, ${seeds.length} seeds`,
    "rehearsal: figures from the rehearsal LM say nothing about a real model",
  ].join("\n"),
  { rehearsal: true, seeds, budget, figures },
);

async function run(
  study: Study,
  {
    search,
    seed,
    input,
  }: { readonly search: Search; readonly seed: number; readonly input: string },
): Promise<RunFigures> {
  const key = [search, version, input, budget, seed].join("/");
  const known = store.get(key);
  if (known !== undefined) return known;
  const startedAt = performance.now();
  const optimizer = searches[search];
  const found = await optimize(study, { optimizer, budget: { metricCalls: budget }, lm, seed });
  const wallMs = performance.now() - startedAt;
  const { metricCalls, reflectionCalls: texts } = found.spent;
  const val = found.best.selection.value;
  const test = await testOf(found.program, study);
  const made = { task: 0, run: seed, val, test, metricCalls, texts, wallMs };
  store.add({ key, figures: made });
  return made;
}

async function testOf(program: Study["program"], { trainset, objective }: Study): Promise<number> {
  const examples = trainset.splits.test;
  const { value } = await evaluate({ program, examples, metric: objective, lm, resamples: 0 });
  return value ?? NaN;
}

function lineOf({ engine, val, test, metricCalls, texts, ahead }: EngineFigures): string {
  const shown = (value: number): string => value.toFixed(4);
  const { difference, interval } = ahead ?? {};
  return [
    `  ${engine.padEnd(8)} val ${shown(val)}, test ${shown(test)}, ${metricCalls.toFixed(0)} metric calls, ${texts.toFixed(0)} reflection calls`,
    difference === undefined
      ? ""
      : `; ${compared[0]} less it on test ${shown(difference)} [${shown(interval?.low ?? NaN)}, ${shown(interval?.high ?? NaN)}], 95 %, paired by seed`,
  ].join("");
}

function wordsOf<TWord extends string>(
  option: "inputs" | "searches",
  known: readonly TWord[],
): readonly TWord[] {
  const given = (values[option] ?? "").split(",");
  const unknown = given.find((word) => !known.some((one) => one === word));
  if (unknown === undefined) return given as readonly string[] as readonly TWord[];
  return refuse(`--${option} "${unknown}": expected some of ${known.join(", ")}.`, help);
}

function budgetOf(text: string): number {
  if (/^\d{1,7}$/.test(text) && Number(text) > 0) return Number(text);
  return refuse(`--budget "${text}": expected a whole number of at least 1.`, help);
}
