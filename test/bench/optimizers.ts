/**
 * Compares `gepa()` with gepa 0.1.4, ax's AxGEPA and plain GEPA: the texts that each returns under
 * a cap on metric calls, on tasks of many shapes, with a mock for the reflection LM that acts
 * on one, three or all of the lessons it is shown; what each part of ours brings; and the time that
 * engines and whole processes take. Figures compare engines and do not predict what a real model
 * would reach.
 *
 * Every search that is compared is stored, so an interrupted bench goes on where it was; ours run
 * again when a source of the optimizer has changed. Exits with 1 if a limit is missed, if a peer is
 * above ours on a shape by more than the interval of the difference, or if nothing could be
 * measured; lists the limits that nothing was measured for.
 */
import { fileURLToPath } from "node:url";
import type { Comparison } from "./optimizers/comparison/compare.ts";
import { compare } from "./optimizers/comparison/compare.ts";
import { runStore } from "../../scripts/support/run-store.ts";
import type { CellRow } from "./optimizers/comparison/table.ts";
import { cellLines, lostCells, tableHead } from "./optimizers/comparison/table.ts";
import { comparisons, leverComparison, taskSource } from "./optimizers/comparisons.ts";
import { gepaNames } from "./optimizers/engines/engines.ts";
import { isYardstickMissing } from "./optimizers/levers/lever-shapes.ts";
import { dspyNames, dspyPython } from "./optimizers/levers/lever-engines.ts";
import { gepaProcess } from "./optimizers/engines/run-gepa.ts";
import { checkLimits } from "./optimizers/limits.ts";
import type { RunFigures } from "./optimizers/engines/run-figures.ts";
import type { Part } from "./optimizers/options.ts";
import { benchRequest } from "./optimizers/options.ts";
import { timings } from "./optimizers/timing/timings.ts";
import { report } from "./support/bench-options.ts";

const request = benchRequest();
const { parts, selection, repeated, isWanted } = request;

const asksPeer =
  (["overhead", "shapes", "variants"] as const).some((part) => parts.has(part)) &&
  gepaNames.some(isWanted);
const found = await (asksPeer ? gepaProcess() : "not asked for");
if (typeof found === "string") console.error(`SKIPPED, gepa 0.1.4: ${found}`);
const peer = typeof found === "string" ? null : found;
const asksDspy = parts.has("levers") && !isYardstickMissing && dspyNames.some(isWanted);
const withDspy = await (asksDspy ? dspyPython() : "not asked for");
if (asksDspy && typeof withDspy === "string") console.error(`SKIPPED, DSPy: ${withDspy}`);
const dspy = typeof withDspy === "string" ? null : withDspy.python;

const times = await timings(request, peer, (table) => console.log([...table, ""].join("\n")));
const compared = comparisons(selection, peer);
const recorded = {
  store: runStore<RunFigures>(fileURLToPath(new URL(`../../${request.store}`, import.meta.url))),
  tasksVersion: taskSource(),
  repeated,
};
const rows = await rowsOf("shapes", compared.shapes);
const variants = await rowsOf("variants", compared.variants);
const levers = await rowsOf("levers", leverComparison(selection, dspy));
const ablations = await rowsOf("ablations", compared.ablations);
peer?.end();

const measured = { rows, variants, levers, ...times };
const lost = lostCells([...rows, ...variants, ...levers]);
const { kept, missed, unchecked } = checkLimits(measured, parts);
report(
  request.json,
  [
    ...lost.map((one) => `LOST: ${one}`),
    ...(rows.length > 0 && lost.length === 0
      ? ["No configuration of a peer is above ours by more than its interval."]
      : []),
    ...missed.map((limit) => `MISSED: ${limit}`),
    ...unchecked.map((limit) => `NOT CHECKED: ${limit}`),
    ...(kept.length > 0 ? [`${kept.length} limits hold.`] : []),
    "mock: the reflection LM is not a model; figures compare engines and say nothing about a real one",
  ].join("\n"),
  { mock: true, ...measured, ablations, lost, missed, unchecked },
);
const isEmpty = [...Object.values(times), ...rows, ...variants, ...levers, ...ablations].every(
  (one) => one === null,
);
if (isEmpty || lost.length + missed.length > 0) process.exitCode = 1;

/** Compares the engines of a part, and prints each row when it is done. */
async function rowsOf<TEnvironment>(
  part: Part,
  { cells, engines }: Comparison<TEnvironment>,
): Promise<readonly CellRow[]> {
  if (!parts.has(part)) return [];
  for (const { key, isMissing } of new Set(cells.map(({ shape }) => shape))) {
    if (isMissing !== undefined) console.error(`SKIPPED, ${key}: ${isMissing}`);
  }
  const chosen = engines.filter(({ name }, index) => index === 0 || isWanted(name));
  console.log(`${part}\n${tableHead}`);
  const done: CellRow[] = [];
  for await (const row of compare({ cells, engines: chosen }, recorded)) {
    done.push(row);
    console.log(cellLines(row).join("\n"));
  }
  console.log("");
  return done;
}
