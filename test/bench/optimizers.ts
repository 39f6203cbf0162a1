/**
 * Compares `gepa()` with gepa 0.1.4 on tasks of many shapes in one run: the first yardstick, and
 * shapes a to e, each with a stand-in for the reflection LM that acts on one, three or all of the
 * lessons it is shown. Figures compare engines and do not predict what a real model would reach.
 *
 * Every run is stored, so an interrupted bench goes on where it was; ours run again when a source
 * of the optimizer has changed. Exits with 1 if a configuration of gepa is above ours in a cell by
 * more than the interval of the difference. With `--process-cpu N` it measures instead, and stores
 * nothing: the CPU of whole processes, beside gepa's; it then exits with 1 where ours take more
 * than a third.
 */
import { fileURLToPath } from "node:url";
import { refuse, scriptOptions } from "../../scripts/support/script-options.ts";
import { report } from "./support/bench-options.ts";
import { engineFigures } from "./optimizers/cell-figures.ts";
import { cellsOf, isActsOn, wholeNumbers } from "./optimizers/cells.ts";
import { enginesOf, taskSource } from "./optimizers/engines.ts";
import { runCell } from "./optimizers/run-cell.ts";
import { gepaProcess } from "./optimizers/run-gepa.ts";
import { processCosts, processTable, tooCostly } from "./optimizers/process-cost.ts";
import { runStore } from "./optimizers/run-store.ts";
import { shapes } from "./optimizers/shapes.ts";
import type { CellRow } from "./optimizers/table.ts";
import { cellLines, lostCells, tableHead } from "./optimizers/table.ts";

const help = {
  command: "npm run bench:optimizers",
  about: `Compares gepa() with gepa 0.1.4 on synthetic tasks: ${shapes.map(({ key }) => key).join(", ")}.`,
  options: {
    json: { about: "Also print the figures as a last line of JSON" },
    shapes: { about: "Only these shapes: a,b", value: "KEYS" },
    budgets: { about: "Only these caps on metric calls: 200,500", value: "N,N" },
    tasks: { about: "Numbers of the tasks: 0-23 or 0,4", value: "N-N" },
    "acts-on": {
      about: "Stand-ins that act on one, three or all lessons; own: that of the shape",
      value: "WORDS",
      preset: "own,one,three,all",
    },
    engines: { about: "Only engines whose names contain one of these", value: "WORDS" },
    repeated: { about: "Stored runs of a peer to run again in each cell", value: "N", preset: "1" },
    "process-cpu": {
      about: "Only time whole processes that make one search, in N rounds beside gepa's",
      value: "N",
    },
    store: {
      about: "Where runs are stored",
      value: "FILE",
      preset: ".espalier/bench/optimizers.jsonl",
    },
  },
};
const { values, flags } = scriptOptions(help);
if (values["process-cpu"] !== undefined) {
  const rounds = wholeNumbers(values["process-cpu"])?.at(0) ?? 0;
  if (rounds < 1) refuse("--process-cpu: expected a whole number of at least 1.", help);
  const costs = await processCosts(rounds);
  if (typeof costs === "string") {
    console.error(`SKIPPED: ${costs}`);
    process.exit(1);
  }
  const missed = tooCostly(costs);
  report(
    flags.has("json"),
    [...processTable(costs), "", ...missed.map((one) => `MISSED: ${one}`)].join("\n"),
    { standIn: true, processCosts: costs, missed },
  );
  process.exit(missed.length > 0 ? 1 : 0);
}
const numbersIn = (option: "budgets" | "tasks"): readonly number[] | null => {
  const text = values[option];
  if (text === undefined) return null;
  return (
    wholeNumbers(text) ?? refuse(`--${option} "${text}": expected numbers, as 0-23 or 0,4.`, help)
  );
};
const wanted = values.shapes?.split(",") ?? null;
const unknown = wanted?.find((key) => !shapes.some((shape) => shape.key === key));
if (unknown !== undefined) refuse(`--shapes: there is no shape "${unknown}".`, help);
const actsOn = (values["acts-on"] ?? "own").split(",").map((word) => {
  return isActsOn(word)
    ? word
    : refuse(`--acts-on "${word}": expected own, one, three, all.`, help);
});
const repeated = Number(values.repeated);
const cells = cellsOf(shapes, {
  shapes: wanted,
  budgets: numbersIn("budgets"),
  tasks: numbersIn("tasks"),
  actsOn,
});

const isWanted = (name: string): boolean =>
  values.engines?.split(",").some((word) => name.includes(word)) ?? true;
const found = await (isWanted("gepa 0.1.4") ? gepaProcess() : "not asked for");
if (typeof found === "string") console.error(`SKIPPED, gepa 0.1.4: ${found}`);
const peer = typeof found === "string" ? null : found;
const engines = enginesOf(peer).filter(({ name }, place) => place === 0 || isWanted(name));
const store = runStore(fileURLToPath(new URL(`../../${values.store ?? ""}`, import.meta.url)));
const tasksVersion = taskSource();

const rows: CellRow[] = [];
console.log(tableHead);
for (const cell of cells) {
  const { shape } = cell;
  if (shape.isMissing !== undefined) {
    console.error(`SKIPPED, ${shape.key}: ${shape.isMissing}`);
    continue;
  }
  const run = (engine: (typeof engines)[number]) =>
    runCell(engine, cell, { store, tasksVersion, repeated });
  const [first, ...others] = engines.filter(({ takesPartIn }) => takesPartIn(cell));
  if (first === undefined) continue;
  const ours = await run(first);
  const figures = [engineFigures(first.name, ours, null)];
  for (const engine of others) figures.push(engineFigures(engine.name, await run(engine), ours));
  const row = {
    shape: shape.key,
    about: shape.about,
    actsOn: cell.actsOn,
    metricCalls: cell.metricCalls,
    engines: figures,
  };
  rows.push(row);
  console.log(cellLines(row).join("\n"));
}
peer?.end();
const lost = lostCells(rows);
report(
  flags.has("json"),
  [
    "",
    ...lost.map((one) => `LOST: ${one}`),
    ...(lost.length === 0
      ? ["No configuration of a peer is above ours by more than its interval."]
      : []),
    "stand-in: the reflection LM is not a model; figures compare engines and say nothing about a real one",
  ].join("\n"),
  { standIn: true, rows, lost },
);
if (lost.length > 0) process.exitCode = 1;
