import { readFileSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openRegistry, readArtifact } from "espalier/artifact";
import { afterAll, describe, expect, it } from "vitest";
import { withChecksum } from "../../../src/storage/index.ts";
import { comparisonIn } from "../../support/page-comparison.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const study = "test/cli/fixtures/places.ts";
const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());
const run = join(folder.path, "run");
const begun = await runMain([
  "optimize",
  study,
  "--optimizer",
  "gepa",
  "--budget",
  "120",
  "--run",
  run,
]);
if (begun.code !== 0) throw new Error(begun.stderr);

describe("espalier compare", () => {
  it("says of one run how its best differs from the seed on test, and which examples flipped", async () => {
    const { code, stdout } = await runMain(["compare", run, "--study", study]);
    expect(code).toBe(0);
    const [first = ""] = stdout.split("\n");
    expect(first).toMatch(
      /^A gain: on test, candidate \d+ of run is better than the program it started from: 0\.\d{3} against 0\.\d{3} found-place\. The difference is 0\.\d{3} \(95 % interval /,
    );
    expect(stdout).toMatch(
      /^examples whose score changed, of candidate \d+ of run against the program it started from: \d+,/m,
    );
    expect(stdout).toMatch(/^ {2}place-\d+ {2}0\.00 -> 0\.80 {2}\{"question":/m);
  });

  it("has a letter for a name that is too long for tables, and says once what it stands for", async () => {
    const long = "places-2026-11-28T00-42-15-560Z";
    await cp(run, join(folder.path, long), { recursive: true });
    const { stdout } = await runMain(["compare", run, join(folder.path, long)]);
    expect(stdout).toMatch(/^A +gepa /m);
    expect(stdout.match(new RegExp(long, "g"))).toEqual([long]);
    expect(stdout).toContain(`\nA  ${long}\n`);
  });

  it("begins with why, where what it was given cannot be compared", async () => {
    const other = join(folder.path, "other");
    await cp(run, other, { recursive: true });
    const journal = join(other, "journal.jsonl");
    const [head = "", ...rest] = (await readFile(journal, "utf8")).split("\n");
    const changed = head
      .replace('"name":"found-place","version"', '"name":"f1","version"')
      .replace(/,"crc":"\w+"/, "");
    await writeFile(journal, [withChecksum(JSON.parse(changed)), ...rest].join("\n"));
    const { stdout } = await runMain(["compare", run, other]);
    expect(stdout).toMatch(
      /^Cannot compare candidate \d+ of other with candidate \d+ of run: their metrics differ \(found-place \d+ and f1 \d+\)\.\n/,
    );
    expect(stdout).not.toMatch(/^on (?:test|val), /im);
    const machine = await runMain(["compare", run, other, "--json"]);
    expect(JSON.parse(machine.stdout)).toMatchObject({ headline: null });
  });

  it("sets artifacts beside runs, and gives machines the whole value", async () => {
    const { stdout } = await runMain(["compare", run, join(run, "artifact.json"), "--json"]);
    const { format, sources } = JSON.parse(stdout);
    expect(format).toBe("espalier-comparison/1");
    expect(sources.map(({ kind, key }: Record<string, string>) => [kind, key])).toEqual([
      ["run", "run"],
      ["artifact", "artifact"],
    ]);
    expect(sources[0].test[0].value).toBe(sources[1].test[0].value);
  });

  it("says of a registry's version what points to it, and what made it", async () => {
    const registry = openRegistry(join(folder.path, "shelf"));
    const { version } = await registry.add(await readArtifact(join(run, "artifact.json")));
    await registry.promote("finder", version, "production");
    const path = join(folder.path, "shelf", "finder", `${version}.json`);
    const { stdout } = await runMain(["compare", run, path]);
    expect(stdout).toMatch(new RegExp(`^${version} +artifact, production, by gepa`, "m"));
    const json = JSON.parse((await runMain(["compare", path, "--json"])).stdout);
    expect(json.sources[0].aliases).toEqual(["production"]);
  });

  it("replays both sides of the flips for --json", async () => {
    const { stdout } = await runMain(["compare", run, "--study", study, "--replay", "2", "--json"]);
    const { rollouts } = JSON.parse(stdout);
    expect(rollouts).toHaveLength(4);
    for (const { missing, isDifferent, trace } of rollouts) {
      expect([missing, isDifferent]).toEqual([undefined, undefined]);
      expect(trace.children[0].calls[0].messages.length).toBeGreaterThan(0);
    }
    expect((await runMain(["compare", run, "--replay", "2"])).stderr).toContain(
      "--replay of runs requires --study",
    );
  });

  it("takes outputs, feedback and traces of results from their files", async () => {
    const [before, after] = ["before.json", "after.json"].map((name) => join(folder.path, name));
    await runMain(["eval", study, "--out", before ?? ""]);
    const best = JSON.parse((await runMain(["show", run, "--json"])).stdout).best.components;
    const candidate = join(folder.path, "candidate.json");
    await writeFile(candidate, JSON.stringify(best));
    await runMain(["eval", study, "--candidate", candidate, "--out", after ?? ""]);
    const { stdout } = await runMain([
      "compare",
      before ?? "",
      after ?? "",
      "--replay",
      "3",
      "--json",
    ]);
    const { rollouts } = JSON.parse(stdout);
    const evaluated = [before, after].map((file) => JSON.parse(readFileSync(file ?? "", "utf8")));
    expect(rollouts).toHaveLength(6);
    const { examples } = JSON.parse(stdout);
    for (const { source, example, value, trace, output } of rollouts) {
      const { rows } = evaluated[source === "before" ? 0 : 1].evaluation;
      const row = rows.find(({ exampleId }: any) => exampleId === examples[example].id);
      expect([value, trace, output]).toEqual([row.score.value, row.trace, row.trace.output]);
    }
  });

  it("writes the same value as one page for --html", async () => {
    const page = join(folder.path, "report.html");
    const words = ["compare", run, "--study", study, "--replay", "2", "--json"];
    const { stdout } = await runMain([...words, "--html", page]);
    expect(comparisonIn(await readFile(page, "utf8"))).toBe(stdout.trimEnd());
    const refused = await runMain(["compare", run, "--html", folder.path]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("--html");
  });

  it("refuses a path without anything, and a folder without a run", async () => {
    const nowhere = await runMain(["compare", join(folder.path, "nowhere")]);
    expect(nowhere.stderr).toContain("There is nothing to compare at this path");
    const empty = join(folder.path, "empty");
    await mkdir(empty);
    expect((await runMain(["compare", empty])).stderr).toContain("No run was found");
    const other = join(folder.path, "other.json");
    await writeFile(other, "{}");
    expect((await runMain(["compare", other])).stderr).toContain(
      "The file is neither an artifact nor a result",
    );
  });
});
