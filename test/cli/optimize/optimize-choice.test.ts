import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readArtifact } from "espalier/artifact";
import { readRun } from "espalier/optimizer";
import { espalier } from "../../support/run-cli.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const places = "test/cli/fixtures/places.ts";
const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());
const run = join(folder.path, "run");
const begun = await runMain(["optimize", places, "--budget", "80", "--seed", "3", "--run", run]);
if (begun.code !== 0) throw new Error(begun.stderr);
const recorded = readRun(run);
const best = recorded.best ?? expect.fail("no best");

describe("espalier optimize --choose, when the run has ended", () => {
  const cheapest = ["--resume", run, "--choose", "fewest promptTokens", "--json"];

  it("keeps the best's artifact, and says how often test has been looked at", async () => {
    expect(best.id).toBeGreaterThan(0);
    expect(begun.stdout).toContain("test, held out from every decision: ");
    const bestBefore = await readFile(join(run, "artifact.json"), "utf8");
    const { code, stdout, stderr } = await runMain(["optimize", places, ...cheapest]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(await readFile(join(run, "artifact.json"), "utf8")).toBe(bestBefore);
    const chosen = await readArtifact(join(run, "artifact-0.json"));
    expect(chosen.compiled.components).toEqual(recorded.candidates[0]?.components);
    expect(stdout).toContain(`test, report 2 of this run, after the one on candidate ${best.id} (`);
    expect(stdout).not.toContain("held out from every decision");
    expect(lastLine(stdout)).toMatchObject({
      candidate: 0,
      reportedBefore: [best.id],
      choiceMet: true,
      artifact: join(run, "artifact-0.json"),
    });
    // The same again tells nothing new.
    const again = await runMain(["optimize", places, ...cheapest]);
    expect(lastLine(again.stdout)).toMatchObject({ reportedBefore: [best.id] });
    const first = await runMain(["optimize", places, "--resume", run]);
    expect(first.stdout).toContain("test, held out from every decision: ");
  });

  it.each([
    ["an unknown measure", "fewest cars", "option-invalid"],
    ["a latency that was not measured", "fewest latencyMs", "usage-invalid"],
    ["bounds that none keeps", "quality>=2", "choice-unmet"],
  ])("refuses %s at the door", async (_, choice, error) => {
    const args = ["optimize", places, "--resume", run, "--choose", choice];
    const { code, stdout, stderr } = await runMain(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`espalier: ${error}: `);
    // Refused before the plan.
    expect(stderr).not.toContain("plan: ");
  });
});

describe("espalier optimize --choose, when the run begins", () => {
  it("refuses a measure that there is not as soon as the seed is evaluated", async () => {
    const other = join(folder.path, "unknown");
    const args = ["optimize", places, "--budget", "60", "--run", other];
    const { code, stdout, stderr } = await runMain([...args, "--choose", "fewest cars"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("espalier: option-invalid: The choice of a candidate is invalid");
    const command = stderr.split(`To resume: ${espalier} `)[1]?.split("\n")[0] ?? "";
    expect(command).toBe(`optimize ${places} --budget 60 --resume ${other}`);
    const { candidates, spent, end } = readRun(other);
    expect({ candidates: candidates.length, end }).toEqual({ candidates: 1, end: undefined });
    expect(spent.metricCalls).toBe(14);
    const again = await runMain([...command.split(" "), "--choose", "fewest cars"]);
    expect(again).toMatchObject({ code: 2, stdout: "" });
    // Refused before the plan.
    expect(again.stderr).not.toContain("plan: ");
    expect((await runMain(command.split(" "))).code).toBe(0);
  });

  it("refuses latencyMs where it is not measured, with nothing spent", async () => {
    const other = join(folder.path, "latency");
    const args = ["optimize", places, "--budget", "80", "--run", other];
    const { code, stderr } = await runMain([...args, "--choose", "fewest latencyMs"]);
    expect(code).toBe(2);
    expect(stderr).toContain("usage-invalid: --choose uses `latencyMs`, which was not measured");
    expect(existsSync(other)).toBe(false);
  });

  it("writes the best's artifact where no candidate keeps the bounds, and ends with the refusal", async () => {
    const other = join(folder.path, "unmet");
    const out = join(folder.path, "unmet.json");
    const args = ["optimize", places, "--budget", "60", "--run", other, "--out", out, "--json"];
    const { code, stdout, stderr } = await runMain([...args, "--choose", "quality>=2"]);
    expect(code).toBe(2);
    expect(stderr).toContain("espalier: choice-unmet: No candidate meets these bounds");
    expect(stderr).toContain(
      `To resume: ${espalier} optimize ${places} --budget 60 --out ${out} --json --resume ${other}\n`,
    );
    const { best } = readRun(other);
    const artifact = await readArtifact(join(other, "artifact.json"));
    expect(artifact.compiled.components).toEqual(best?.components);
    expect(existsSync(out)).toBe(false);
    expect(lastLine(stdout)).toMatchObject({ candidate: best?.id, choiceMet: false });
  });
});

function lastLine(stdout: string): object {
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as object;
}
