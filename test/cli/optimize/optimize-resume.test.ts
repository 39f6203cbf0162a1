import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readArtifact } from "espalier/artifact";
import { serveRehearsal } from "@espalier/rehearsal";
import { commandToResume } from "../../../src/cli/optimize/resuming.ts";
import { gateClock } from "../../support/gate-clock.ts";
import { espalier, startCli } from "../../support/run-cli.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const places = "test/cli/fixtures/places.ts";

describe("espalier optimize --resume with nothing else", () => {
  it("goes on as the run was begun, from another folder too", async () => {
    // The seed takes 56 calls.
    const clock = gateClock(60);
    await using server = await serveRehearsal({ latencyMs: 1, clock });
    await using folder = await temporaryFolder();
    const prices = join(folder.path, "prices.json");
    const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 4 };
    await writeFile(prices, JSON.stringify({ student: price, reflection: price }));
    const options = [
      "--budget=60",
      "--seed",
      "5",
      "--prices",
      prices,
      "--lm",
      `${server.url}/v1`,
    ].concat(["--cache", "none", "--measure-latency", "--search-repeats", "2"]);
    const run = join(folder.path, "run");
    const running = startCli(["optimize", places, ...options, "--run", run]);
    await running.saw("before: ");
    running.interrupt();
    expect((await running.ended).code).toBe(130);
    clock.release();

    const resumed = await runMain(["optimize", join(process.cwd(), places), "--resume", run], {
      cwd: folder.path,
    });
    expect(resumed).toMatchObject({ code: 0 });
    expect(resumed.stderr).toContain(`original options: --budget 60 --prices ${prices} --seed 5 `);
    const { compiled } = await readArtifact(join(run, "artifact.json"));
    expect(compiled.optimizer).toMatchObject({ seed: 5, budget: { metricCalls: 60 } });
  });

  it("does not go on with another optimizer", async () => {
    await using folder = await temporaryFolder();
    const run = join(folder.path, "run");
    const begun = await runMain([
      "optimize",
      places,
      "--optimizer",
      "gepa",
      "--budget",
      "30",
      "--run",
      run,
    ]);
    expect(begun.code).toBe(0);
    const now = await runMain(["optimize", places, "--optimizer", "auto-search", "--resume", run]);
    expect(now.code).toBe(2);
    expect(now.stderr).toContain("Expected: gepa 10. Got: auto-search 3.");
  });

  it("takes what the command line says instead, and refuses a file that it cannot read", async () => {
    await using folder = await temporaryFolder();
    const run = join(folder.path, "run");
    await runMain(["optimize", places, "--budget", "50", "--run", run]);
    const other = await runMain(["optimize", places, "--budget", "51", "--resume", run]);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain("`budget.metricCalls` (--budget) was ");
    const path = join(run, "command.json");
    const held = await readFile(path, "utf8");
    expect(JSON.parse(held)).toEqual({
      format: "espalier-command/1",
      options: { budget: "50", servers: "none" },
    });
    // A run in a folder that holds one already leaves it as it is.
    await runMain(["optimize", places, "--budget", "52", "--run", run]);
    expect(await readFile(path, "utf8")).toBe(held);
    await writeFile(path, '{"format":"espalier-command/1","options":{"budgets":"50"}}');
    const broken = await runMain(["optimize", places, "--resume", run]);
    expect(broken).toMatchObject({ code: 2, stdout: "" });
    expect(broken.stderr).toContain("file-malformed: The file with the run's original options");
  });
});

describe("the command that resumes", () => {
  it("is read by a shell as the words that it is made of", () => {
    const words = ["it's.ts", "--choose", "fewest promptTokens", "--run=x", "--json"];
    const command = commandToResume(words, "a folder/'run'", ["choose"]);
    const said = execFileSync("sh", ["-c", `printf '%s\\n' ${command}`], { encoding: "utf8" });
    expect(said.trimEnd().split("\n")).toEqual([
      ...espalier.split(" "),
      "optimize",
      "it's.ts",
      "--json",
      "--resume",
      "a folder/'run'",
    ]);
  });
});
