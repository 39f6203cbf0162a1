import { existsSync } from "node:fs";
import { cp, link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readArtifact } from "espalier/artifact";
import type { OptimizationResult, RecordedRun } from "espalier/optimizer";
import { readRun } from "espalier/optimizer";
import type { ReportsFile } from "../../../src/optimizer/files.ts";
import { checkedLine, withChecksum } from "../../../src/storage/index.ts";
import { comparisonIn } from "../../support/page-comparison.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const places = "test/cli/fixtures/places.ts";
const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());
const run = join(folder.path, "run");
const begun = await runMain([
  "optimize",
  places,
  "--optimizer",
  "gepa",
  "--budget",
  "120",
  "--run",
  run,
  "--json",
]);
if (begun.code !== 0) throw new Error(begun.stderr);
const recorded = readRun(run);
const best = recorded.best ?? expect.fail("no best");

describe("espalier show RUN", () => {
  it("prints how the run went, the tree, the difference of best and seed, rejections and the ledger", async () => {
    const { code, stdout } = await runMain(["show", run]);
    expect(code).toBe(0);
    expect(stdout).toContain("gepa 10 on finder 1, trainset places, objective found-place");
    expect(stdout).toContain("LM rehearsal (rehearsal)");
    expect(stdout).toMatch(/^stopped .* after \d+ iterations$/m);
    expect(stdout).toContain(`└─ ${best.id}  ${best.selection.value.toFixed(4)} best  iteration `);
    expect(stdout).toContain(best.acceptance.detail);
    expect(stdout).toContain(
      `candidate ${best.id} against the program it started from: [-gone-] {+new+}`,
    );
    for (const id of best.changed) expect(stdout).toContain(`\n${id}\n  | `);
    for (const { reason } of recorded.rejections) expect(stdout).toContain(`\n  ${reason} (`);
  });

  it("counts what the report on test took, too: its ledger is the one that `optimize` ended with", async () => {
    const { stdout } = await runMain(["show", run]);
    const { ledger } = JSON.parse(begun.stdout.trimEnd().split("\n").at(-1) ?? "") as {
      readonly ledger: OptimizationResult["ledger"];
    };
    // Seed and best on 20 examples of test, two calls an example.
    for (const [role, onTest] of [
      ["student", 80],
      ["reflection", 0],
    ] as const) {
      const { logical, billed } = ledger.byRole[role] as NonNullable<typeof ledger.byRole.student>;
      expect(logical.calls).toBe((recorded.end?.used[role].calls ?? Number.NaN) + onTest);
      expect(stdout).toContain(
        `\n${role}: ${logical.calls} calls${onTest === 0 ? "" : `, ${onTest} of them for test`}, ` +
          `${logical.promptTokens} prompt and ${logical.completionTokens} completion tokens; ` +
          `sent to the server: ${billed.calls} calls, ` +
          `${billed.promptTokens} prompt and ${billed.completionTokens} completion tokens`,
      );
    }
  });

  it("says where it does not know the calls of a report", async () => {
    const ended = join(folder.path, "ended");
    await cp(run, ended, { recursive: true });
    const path = join(ended, "reports.json");
    const log = checkedLine(await readFile(path, "utf8"), path);
    await writeFile(path, withChecksum({ ...log, used: {} }));
    const unknown =
      /^the calls of one or more reports on test are unknown, except those that were sent to the server: /m;
    const lines = (await runMain(["show", ended])).stdout;
    expect(lines).toMatch(unknown);
    expect(lines).toContain(`\nstudent: ${recorded.end?.used.student?.calls} calls, `);
    await rm(path);
    expect((await runMain(["show", ended])).stdout).toMatch(unknown);
    expect((await runMain(["show", run])).stdout).not.toMatch(unknown);
  });

  it.each<[what: string, change: (content: string) => string, told: string]>([
    ["broken", (content) => content.slice(0, 40), "A line of the file is broken"],
    ["empty", () => "", "A line of the file is broken"],
    [
      "changed",
      (content) => content.replace('"candidates":[', '"candidates":[9,'),
      "A line of the file was changed after it was written",
    ],
    [
      "of another version",
      () => withChecksum({ format: "espalier-reports/1" }),
      "written by another version of espalier",
    ],
  ])("refuses notes of reports that are %s, as optimize does", async (_, change, told) => {
    const broken = join(folder.path, "broken");
    await cp(run, broken, { recursive: true });
    const path = join(broken, "reports.json");
    await writeFile(path, change(await readFile(path, "utf8")));
    for (const words of [
      ["show", broken],
      ["optimize", places, "--resume", broken],
    ]) {
      const { code, stderr } = await runMain(words);
      expect(code).toBe(2);
      expect(stderr).toContain("file-malformed: ");
      expect(stderr).toContain(told);
    }
  });

  it("prints the same for machines with --json", async () => {
    const { stdout } = await runMain(["show", run, "--json"]);
    const {
      shown,
      folder: named,
      reports,
      onTest,
      ...told
    } = JSON.parse(stdout) as RecordedRun & {
      shown: number;
      onTest: ReportsFile["figures"];
      folder: string;
      reports: { used: readonly { student: { calls: number } }[] };
    };
    expect(reports.used.map(({ student }) => student.calls)).toEqual([80]);
    expect(Object.keys(onTest)).toEqual([String(best.id)]);
    expect(told).toEqual(JSON.parse(JSON.stringify(recorded)));
    expect({ shown, named }).toEqual({ shown: best.id, named: run });
  });

  it("shows the candidate that is asked for, by number or by choice", async () => {
    const seed = await runMain(["show", run, "--candidate", "0"]);
    expect(seed.code).toBe(0);
    expect(seed.stdout).not.toContain("against the program");
    const chosen = await runMain([
      "show",
      run,
      "--choose",
      "quality>=0,fewest promptTokens",
      "--json",
    ]);
    expect(JSON.parse(chosen.stdout)).toMatchObject({ shown: 0 });
  });

  it("writes one page that needs nothing from outside", async () => {
    const page = join(folder.path, "run.html");
    expect((await runMain(["show", run, "--html", page])).code).toBe(0);
    const html = await readFile(page, "utf8");
    expect(html).toMatch(/^<!doctype html>\n[^]*"default-src 'none'; /);
    const { sources } = JSON.parse(comparisonIn(html) ?? "");
    expect(sources).toMatchObject([{ kind: "run", key: "run", best: best.id }]);
    expect(sources[0].candidates).toHaveLength(recorded.candidates.length);
  });

  it("replaces a page whole, so that who reads the old one has all of it", async () => {
    const page = join(folder.path, "replaced.html");
    const old = join(folder.path, "old.html");
    await writeFile(page, "the old page");
    await link(page, old);
    expect((await runMain(["show", run, "--html", page])).code).toBe(0);
    expect(comparisonIn(await readFile(page, "utf8"))).toContain('"espalier-comparison/1"');
    expect(await readFile(old, "utf8")).toBe("the old page");
  });

  it.each<[string, readonly string[]]>([
    ["a page of a study", [places, "--html", join(folder.path, "never.html")]],
    ["a choice among nothing", [places, "--choose", "most quality"]],
    ["a page of an artifact", [join(run, "artifact.json"), "--html", "never.html"]],
    ["a candidate in an artifact", [join(run, "artifact.json"), "--candidate", "seed.json"]],
    ["inputs without a predictor", [places, "--input", "{}"]],
    ["inputs of a run", [run, "--input", "{}"]],
    ["a page of a prompt", [places, "--predictor", "broadQuery", "--input", "{}", "--html", "x"]],
  ])("refuses %s, which would be passed over", async (_, args) => {
    const { code, stdout, stderr } = await runMain(["show", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("cannot be combined with");
    expect(existsSync(join(folder.path, "never.html"))).toBe(false);
  });

  it.each<[string, readonly string[]]>([
    ["a candidate that there is not", [run, "--candidate", "99"]],
    ["a candidate that is no number", [run, "--candidate", "best"]],
    ["two ways to say which", [run, "--candidate", "0", "--choose", "most quality"]],
    ["a choice that cannot be read", [run, "--choose", "quality>0.6"]],
    ["a bound that is no number", [run, "--choose", "quality>=high"]],
    ["two wishes", [run, "--choose", "fewest promptTokens,most quality"]],
    ["an unknown measure", [run, "--choose", "fewest cars"]],
    ["bounds that none keeps", [run, "--choose", "quality>=2"]],
    ["a prompt", [run, "--predictor", "broadQuery"]],
    ["a folder without a run", ["test/cli/fixtures"]],
  ])("refuses %s", async (_, args) => {
    const { code, stdout, stderr } = await runMain(["show", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    const told = stderr.replaceAll(run, "RUN").replace(/(below|from|to) \d[\d.]*/g, "$1 N");
    expect(told).toMatchSnapshot();
  });
});

describe("espalier optimize --choose on a run that has ended", () => {
  it("writes the artifact of the candidate that is wanted, without a call for the search", async () => {
    const out = join(folder.path, "chosen.json");
    const choice = "quality>=0,fewest promptTokens";
    const { code, stdout, stderr } = await runMain([
      "optimize",
      places,
      "--budget",
      "120",
      "--resume",
      run,
      "--choose",
      choice,
      "--out",
      out,
      "--json",
    ]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain(`chosen by ${choice}: candidate 0\n`);
    const { compiled } = await readArtifact(out);
    expect(compiled.components).toEqual(recorded.candidates[0]?.components);
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as object;
    expect(last).toMatchObject({
      candidate: 0,
      test: { verdict: "unchanged", improved: false, difference: null },
    });
    expect(readRun(run)).toEqual({ ...recorded, elapsedMs: expect.any(Number) });
  });
});
