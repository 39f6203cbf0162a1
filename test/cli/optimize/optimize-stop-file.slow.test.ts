import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readArtifact } from "espalier/artifact";
import { readRun } from "espalier/optimizer";
import { serveRehearsal } from "@espalier/rehearsal";
import { expect, test } from "vitest";
import { gateClock } from "../../support/gate-clock.ts";
import { espalier, runCli, startCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { decisionsIn } from "../../support/journal.ts";

const places = resolve("test/cli/fixtures/places.ts");

test("a file `stop` in its folder that is there when a run begins is refused before anything is spent", async () => {
  await using folder = await temporaryFolder();
  const run = join(folder.path, "run");
  await mkdir(run);
  await writeFile(join(run, "stop"), "");
  const { code, stderr } = await runCli(["optimize", places, "--budget", "60", "--run", run]);
  expect(code).toBe(2);
  expect(stderr).toContain("usage-invalid: The run's `stop` file exists");
  expect(stderr).toContain("Remove it, or name another folder.");
  expect((await thrownBy(() => readRun(run))).code).toBe("file-missing");
});

test("a file `stop` in its folder ends a run with its report, and without the file it goes on to the end that it would have had", async () => {
  // The seed takes 28 calls.
  const clock = gateClock(32);
  await using held = await serveRehearsal({ latencyMs: 1, clock });
  await using server = await serveRehearsal();
  await using folder = await temporaryFolder();
  const path = (name: string): string => join(folder.path, name);
  const begin = (run: string, { url }: { readonly url: string }): string[] => [
    "optimize",
    places,
    "--budget",
    "60",
    "--cache",
    "none",
    "--lm",
    `${url}/v1`,
    "--run",
    run,
  ];
  const cwd = folder.path;
  const whole = runCli(begin("whole", server), { cwd });
  const running = startCli(begin("run", held), { cwd });
  await running.saw("before: ");
  await writeFile(path("run/stop"), "");
  clock.release();
  const stopped = await running.ended;
  expect(stopped.code).toBe(0);
  expect(stopped.stdout).toContain("stopped by a stopper (stop-file: `stop` exists");
  expect(stopped.stderr).toContain(`Remove the file to continue: ${espalier} optimize `);
  expect(stopped.stderr).toMatch(/ --resume run\n/);
  const { spent } = readRun(path("run"));
  expect(spent.metricCalls).toBeLessThan(60);

  const resume = ["optimize", places, "--resume", "run"];
  const refused = await runCli(resume, { cwd });
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("The run's `stop` file exists");
  const chosen = await runCli([...resume, "--choose", "fewest promptTokens"], { cwd });
  expect(chosen.code).toBe(0);
  expect(readRun(path("run")).spent).toEqual(spent);

  await rm(path("run/stop"));
  const other = await runCli([...resume, "--seed", "5"], { cwd });
  expect(other).toMatchObject({ code: 2, stdout: "" });
  expect(other.stderr).toContain("journal-mismatch: The run differs from the one to resume");
  expect(other.stderr).not.toContain("goes on");
  expect(readRun(path("run")).end?.reason).toBe("stopper");

  const resumed = await runCli(["optimize", places, "--resume", path("run")]);
  expect(resumed.code).toBe(0);
  expect(resumed.stderr).toContain("resuming the run that its `stop` file ended\n");
  expect((await whole).code).toBe(0);
  const [found, expected] = await Promise.all(
    ["run", "whole"].map((run) => readArtifact(path(join(run, "artifact.json")))),
  );
  expect(found?.compiled).toEqual(expected?.compiled);
  expect(decisionsIn(path("run"))).toBe(decisionsIn(path("whole")));
  expect(readRun(path("run")).end?.reason).toBe("budget");
});
