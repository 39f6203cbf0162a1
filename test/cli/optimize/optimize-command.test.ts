import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serveRehearsal } from "@espalier/rehearsal";
import { gateClock } from "../../support/gate-clock.ts";
import { espalier, startCli } from "../../support/run-cli.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const places = "test/cli/fixtures/places.ts";

interface LastLine {
  readonly artifact: string;
  readonly test: {
    readonly seed: number;
    readonly optimized: number;
    readonly difference: { readonly mean: number; readonly low: number; readonly high: number };
  };
  readonly ledger: { readonly total: { readonly billed: { readonly calls: number } } };
}

describe("espalier optimize", () => {
  it("optimizes, reports on test with intervals and verdict, and writes an artifact that runs", async () => {
    await using folder = await temporaryFolder();
    const out = join(folder.path, "places.json");
    const run = join(folder.path, "run");
    const options = ["--budget", "130", "--run", run, "--out", out, "--json"];
    const { code, stdout, stderr } = await runMain(["optimize", places, ...options]);
    expect({ code, stderr }).toMatchObject({ code: 0 });

    const lines = stdout.trimEnd().split("\n");
    const last = JSON.parse(lines.at(-1) ?? "") as LastLine;
    expect(last).toMatchObject({
      program: "finder",
      trainset: "places",
      lm: { provider: "rehearsal", model: "rehearsal" },
      rehearsal: true,
      artifact: out,
      test: { metric: "found-place", verdict: "better", examples: 20, clusters: 20 },
    });
    const { seed, optimized, difference } = last.test;
    expect(difference.mean).toBeCloseTo(optimized - seed, 12);
    expect(difference.low).toBeGreaterThan(0);
    expect(difference.high).toBeGreaterThanOrEqual(difference.mean);
    for (const figure of ["found-place", "broad", "narrow"]) {
      expect(stdout).toMatch(new RegExp(`^${figure} +\\d[.]\\d{4}  \\d[.]\\d{4}  \\+`, "m"));
    }
    expect(stdout).toContain("\nverdict: a gain: on found-place, the result is better than ");
    expect(lines).toContainEqual(expect.stringMatching(/^rehearsal: figures/));
    expect(stderr).toMatch(
      /^mocks play LM \(rehearsal\)\nsearch: mipro-v2 \(version 7\), because .*\nplan: /,
    );
    expect(stderr).toContain("metric calls: ");

    const shown = await runMain(["show", out]);
    expect(shown.code).toBe(0);
    const input = JSON.stringify({
      question: "When was it founded?",
      history: "user: The Vel mill?",
    });
    const ran = await runMain(["run", out, "--input", input, "--trust-module"]);
    expect(ran).toMatchObject({ code: 0 });
  });

  it("names the texts that could not get better since no rollout asked their predictor", async () => {
    await using folder = await temporaryFolder();
    const run = ["--budget", "130", "--run", join(folder.path, "run"), "--json"];
    const { stdout } = await runMain(["optimize", "test/cli/fixtures/spare-predictor.ts", ...run]);
    expect(stdout).toContain(
      "unchanged, because no rollout ran its predictor: instruction:spare, demos:spare\n",
    );
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as object;
    expect(last).toMatchObject({ neverInvoked: ["instruction:spare", "demos:spare"] });
  });

  it("ends on Ctrl-C with exit code 130 and says how to go on, which it then does", async () => {
    // The first candidate is there after 82 calls.
    const clock = gateClock(90);
    await using server = await serveRehearsal({ latencyMs: 1, clock });
    await using folder = await temporaryFolder();
    const run = join(folder.path, "run");
    const lm = ["--lm", `${server.url}/v1`, "--cache", "none", "--json"];
    const search = ["optimize", places, "--optimizer", "gepa"];
    const running = startCli([...search, "--budget", "80", ...lm, "--run", run]);
    await running.saw("candidate 1");
    running.interrupt();
    const { code, stdout, stderr } = await running.ended;
    clock.release();
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    const command = stderr.split(` To resume: ${espalier} `)[1]?.split("\n")[0] ?? "";
    expect(command).toBe([...search, "--budget", "80", ...lm, "--resume", run].join(" "));

    const before = server.calls().total;
    const resumed = await runMain(command.split(" "));
    expect(resumed.code).toBe(0);
    const last = JSON.parse(resumed.stdout.trimEnd().split("\n").at(-1) ?? "") as LastLine;
    const { compiled } = JSON.parse(await readFile(last.artifact, "utf8")) as { compiled: object };

    const undisturbed = join(folder.path, "undisturbed");
    await runMain([...search, "--budget", "80", ...lm, "--run", undisturbed]);
    const expected = JSON.parse(await readFile(join(undisturbed, "artifact.json"), "utf8")) as {
      compiled: object;
    };
    expect(compiled).toEqual(expected.compiled);
    expect(server.calls().total).toBeGreaterThan(before);
  });

  it.each<[string, readonly string[], number]>([
    ["no budget", [places], 2],
    ["a budget smaller than one evaluation", [places, "--budget", "5"], 4],
    ["a cap that is none", [places, "--max-usd", "0"], 2],
    ["no time", [places, "--max-minutes", "0"], 2],
    ["a patience of words", [places, "--budget", "50", "--patience", "long"], 2],
    ["money without prices", [places, "--max-usd", "1"], 2],
    ["a choice that cannot be read", [places, "--budget", "50", "--choose", "cheapest"], 2],
    ["a budget that is no number", [places, "--budget", "much"], 2],
    ["a trainset without a test split", ["test/cli/fixtures/towns.ts", "--budget", "500"], 2],
    ["an unknown optimizer", [places, "--budget", "50", "--optimizer", "best"], 2],
    ["an unknown variant", [places, "--budget", "50", "--trainset", "moon"], 2],
    ["a run that does not exist", [places, "--budget", "50", "--resume", "nowhere"], 2],
    ["an artifact that is no .json file", [places, "--budget", "50", "--out", "artifact"], 2],
  ])("refuses %s", async (_, args, expected) => {
    const { code, stdout, stderr } = await runMain(["optimize", ...args]);
    expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
    expect(stderr.split("\n").filter((line) => line.startsWith("espalier:"))).toMatchSnapshot();
    expect(existsSync("nowhere")).toBe(false);
  });
});
