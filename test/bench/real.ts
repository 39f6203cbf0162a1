/**
 * The table: tasks of real data, trained models, searches of ours and of peers, seeds. Each search
 * has the same rows, the same server and about the same number of student calls. Replies are
 * recorded, so that nothing is asked twice, and cells that were run are not run again.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { withBlock } from "../../scripts/docs/with-block.ts";
import { messageOf } from "../../src/errors/index.ts";
import { refuse, scriptOptions } from "../../scripts/support/script-options.ts";
import { sharedData } from "../support/shared-data.ts";
import type { Cell } from "./real/cells.ts";
import { keptCells, keyOf, runCell } from "./real/cells.ts";
import { endpoint } from "./real/endpoint.ts";
import { modelServers } from "./real/model-servers.ts";
import { recordings } from "./real/recordings.ts";
import { budget, searches } from "./real/searches.ts";
import { mean, realTables } from "./real/table.ts";
import { tasks } from "./real/tasks.ts";
import { pythonPackage } from "./support/python-package.ts";

const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name).join(",");
const help = {
  command: "npm run bench:real",
  about: "Searches real tasks on trained models, beside DSPy, and prints the table of all runs.",
  options: {
    plan: { about: "Print what would be run, and the calls that it would take at most" },
    page: { about: "Also write the tables into docs/real-models.md" },
    replay: { about: "Run again what was run, from recorded replies alone, and compare" },
    models: { about: "Students", value: "NAMES", preset: "smollm2-135m" },
    tasks: { about: "Tasks", value: "NAMES", preset: names(tasks) },
    searches: { about: "Rows", value: "NAMES", preset: names(searches) },
    seeds: { about: "Seeds", value: "NUMBERS", preset: "0" },
    reflection: { about: "Who reflects: a model, or `reader`", value: "NAME", preset: "reader" },
    servers: { about: "Running servers, as MODEL=URL,MODEL=URL", value: "SERVERS", preset: "" },
  },
};
const { values, flags } = scriptOptions(help);
const listed = (text = "") => text.split(",").filter((one) => one !== "");
function chosen<TItem extends { readonly name: string }>(
  all: readonly TItem[],
  option: "tasks" | "searches",
): readonly TItem[] {
  return listed(values[option]).map(
    (name) =>
      all.find((one) => one.name === name) ??
      refuse(`--${option} "${name}": expected one of ${names(all)}.`, help),
  );
}

const reflectionModel = values.reflection ?? "";
const cells: readonly Cell[] = listed(values.models).flatMap((model) =>
  chosen(tasks, "tasks").flatMap((task) =>
    listed(values.seeds).flatMap((seed) =>
      chosen(searches, "searches").map((search) => ({
        task,
        search,
        seed: Number(seed),
        model,
        reflectionModel,
      })),
    ),
  ),
);
const kept = keptCells();
const isReplay = flags.has("replay");
const due = cells.filter((cell) => isReplay === (kept.get(keyOf(cell)) !== undefined));

if (flags.has("plan")) {
  for (const cell of due) console.log(keyOf(cell));
  console.log(`${due.length} cells of at most ${budget} calls of the student and 400 of test.`);
  process.exit(0);
}
if (sharedData("real").isAbsent) {
  console.error("SKIPPED: ../shared/data/real is not beside the repository.");
  process.exit(0);
}

const store = recordings();
const running = listed(values.servers).map((one) => one.split("=", 2) as [string, string]);
await using servers = modelServers(new Map(running));
await using asked = await endpoint({
  recordings: store,
  upstream: async (model) => (isReplay ? null : servers.urlOf(model)),
});
const dspy = await pythonPackage("dspy", "3.4.1", ["optuna==4.9.0"]);

for (const [place, cell] of due.entries()) {
  const [key, begun] = [keyOf(cell), performance.now()];
  try {
    const figures = await runCell(cell, { endpoint: asked, dspy });
    const before = kept.get(key);
    if (before === undefined) kept.add({ key, figures });
    const seconds = (performance.now() - begun) / 1000;
    const differs = before !== undefined && JSON.stringify(before) !== JSON.stringify(figures);
    if (differs) process.exitCode = 1;
    console.error(
      `${place + 1}/${due.length} ${key}: ${differs ? "DIFFERS, " : ""}test ${mean(figures.test).toFixed(3)}, ` +
        `${figures.student.calls} calls of the student and ${figures.reflection.calls} of reflection, ` +
        `${figures.demonstrations} demonstrations, ${seconds.toFixed(0)} s`,
    );
  } catch (error) {
    process.exitCode = 1;
    console.error(`${place + 1}/${due.length} ${key}: ${messageOf(error)}`);
  }
  store.pack();
}
const text = realTables([...kept.all().values()]);
console.log(text);
if (flags.has("page")) {
  const page = "docs/real-models.md";
  writeFileSync(page, withBlock(readFileSync(page, "utf8"), "bench:real", text));
}
