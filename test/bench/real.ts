/**
 * The table: tasks of real data, trained models, searches of ours and of peers, seeds. Each search
 * has the same rows, the same server and about the same number of student calls. Replies are
 * recorded, so that nothing is asked twice, and cells that were run are not run again.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withBlock } from "../../scripts/docs/with-block.ts";
import { messageOf } from "../../src/errors/index.ts";
import { randomSource } from "../../src/internal/index.ts";
import { mean } from "../../src/statistics/index.ts";
import { refuse, scriptOptions } from "../../scripts/support/script-options.ts";
import { sharedData } from "../support/shared-data.ts";
import type { Cell } from "./real/cells.ts";
import { keptCells, keyOf, runCell } from "./real/cells.ts";
import { comparedScores } from "./real/compared-scores.ts";
import { endpoint } from "./real/endpoint.ts";
import { modelServers } from "./real/model-servers.ts";
import { recordings } from "./real/recordings.ts";
import { budget, searches } from "./real/searches.ts";
import { realPicture } from "./real/picture.ts";
import { readmeTable, realTables } from "./real/table.ts";
import { tasks } from "./real/tasks.ts";
import { pythonPackage } from "./support/python-package.ts";

const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name).join(",");
const help = {
  command: "npm run bench:real",
  about: "Searches real tasks on trained models, beside DSPy, and prints the table of all runs.",
  options: {
    plan: { about: "Print what would be run, and the calls that it would take at most" },
    page: { about: "Also write the tables and the picture into docs/ and README.md" },
    replay: {
      about:
        "Run again what was run, from recorded replies, and compare; with a server, ask one in fifty anew",
    },
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
const upstream = async (model: string) => servers.urlOf(model);
await using asked = await endpoint({
  recordings: store,
  upstream: async (model) => (isReplay ? null : upstream(model)),
});
const isAskable = ({ model }: Cell) => running.some(([name]) => name === model);
const anew = new Set(
  isReplay
    ? randomSource(Date.now(), "bench/real/anew")
        .shuffle(due.filter((cell) => isAskable(cell) && !cell.search.reflects))
        .slice(0, Math.ceil(due.length / 50))
    : [],
);
const scratch = mkdtempSync(join(tmpdir(), "bench-real-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
await using askedAnew =
  anew.size > 0 ? await endpoint({ recordings: recordings(scratch, scratch), upstream }) : null;
const dspy = await pythonPackage("dspy", "3.4.1", ["optuna==4.9.0"]);

for (const [index, cell] of due.entries()) {
  const [key, begun] = [keyOf(cell), performance.now()];
  try {
    const isAnew = anew.has(cell);
    const figures = await runCell(cell, { endpoint: (isAnew && askedAnew) || asked, dspy });
    const before = kept.get(key);
    if (before === undefined) kept.add({ key, figures });
    const seconds = (performance.now() - begun) / 1000;
    const differs = before !== undefined && JSON.stringify(before) !== JSON.stringify(figures);
    const beside =
      before && comparedScores([{ seed: 0, before: before.test, after: figures.test }]);
    if (isAnew ? beside?.verdict !== "undecided" : differs) process.exitCode = 1;
    const note = isAnew
      ? `asked anew, ${beside?.equal} of ${figures.test.length} rows equal, `
      : "";
    console.error(
      `${index + 1}/${due.length} ${key}: ${note}${differs && !isAnew ? "DIFFERS, " : ""}test ${mean(figures.test).toFixed(3)}, ` +
        `${figures.student.calls} calls of the student and ${figures.reflection.calls} of reflection, ` +
        `${figures.demonstrations} demonstrations, ${seconds.toFixed(0)} s`,
    );
  } catch (error) {
    process.exitCode = 1;
    console.error(`${index + 1}/${due.length} ${key}: ${messageOf(error)}`);
  }
  store.pack();
}
const found = [...kept.all().values()];
const text = realTables(found);
console.log(text);
if (flags.has("page")) {
  for (const [page, name, block] of [
    ["docs/real-models.md", "bench:real", text],
    ["README.md", "bench:real-readme", readmeTable(found)],
  ] as const) {
    writeFileSync(page, withBlock(readFileSync(page, "utf8"), name, block));
  }
  writeFileSync("docs/real-models.svg", realPicture(found));
}
