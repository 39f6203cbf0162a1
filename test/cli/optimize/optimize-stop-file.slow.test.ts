import { existsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readArtifact } from "espalier/artifact";
import type { Optimizer } from "espalier/optimizer";
import { gepa, parameterSearch, readRun, reopenRun } from "espalier/optimizer";
import { serveRehearsal } from "@espalier/rehearsal";
import { expect, test } from "vitest";
import { withStopFile } from "../../../src/cli/optimize/stop-file.ts";
import { gateClock } from "../../support/gate-clock.ts";
import { espalier, runCli, startCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";

const places = resolve("test/cli/fixtures/places.ts");

test("--stop-file ends a run with its report, and without the file it goes on to the end that it would have had", async () => {
  // The seed takes 28 calls.
  const clock = gateClock(32);
  await using held = await serveRehearsal({ latencyMs: 1, clock });
  await using server = await serveRehearsal();
  await using folder = await temporaryFolder();
  const path = (name: string): string => join(folder.path, name);
  const begin = (run: string, file: string, { url }: { readonly url: string }): string[] =>
    ["optimize", places, "--budget", "60", "--cache", "none"].concat([
      "--lm",
      `${url}/v1`,
      "--run",
      run,
      "--stop-file",
      file,
    ]);
  const cwd = folder.path;
  const whole = runCli(begin("whole", "never", server), { cwd });
  const running = startCli(begin("run", "STOP", held), { cwd });
  await running.saw("before: ");
  await writeFile(path("STOP"), "");
  clock.release();
  const stopped = await running.ended;
  expect(stopped.code).toBe(0);
  expect(stopped.stdout).toContain(`stopped by a stopper (stop-file: ${path("STOP")} exists); `);
  expect(stopped.stderr).toContain(`Remove the file to continue: ${espalier} optimize `);
  expect(stopped.stderr).toMatch(/ --resume run\n/);
  const { spent } = readRun(path("run"));
  expect(spent.metricCalls).toBeLessThan(60);

  const resume = ["optimize", places, "--resume", "run"];
  const refused = await runCli(resume, { cwd });
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("The file that stopped the run still exists");
  const chosen = await runCli([...resume, "--choose", "fewest promptTokens"], { cwd });
  expect(chosen.code).toBe(0);
  expect(readRun(path("run")).spent).toEqual(spent);

  await rm(path("STOP"));
  const other = await runCli([...resume, "--seed", "5"], { cwd });
  expect(other).toMatchObject({ code: 2, stdout: "" });
  expect(other.stderr).toContain("journal-mismatch: The run differs from the one to resume");
  expect(other.stderr).not.toContain("goes on");
  expect(readRun(path("run")).end?.reason).toBe("stopper");

  // Its path is remembered as seen from where the run was begun.
  const resumed = await runCli(["optimize", places, "--resume", path("run")]);
  expect(resumed.code).toBe(0);
  expect(resumed.stderr).toContain(`${path("STOP")} is gone: resuming the run that it stopped\n`);
  expect((await whole).code).toBe(0);
  const [found, expected] = await Promise.all(
    ["run", "whole"].map((run) => readArtifact(path(join(run, "artifact.json")))),
  );
  expect(found?.compiled).toEqual(expected?.compiled);
  expect(await readFile(path("run/journal.jsonl"), "utf8")).toBe(
    await readFile(path("whole/journal.jsonl"), "utf8"),
  );

  expect(reopenRun(path("run"))).toBe(false);
  expect(readRun(path("run")).end?.reason).toBe("budget");
});

test("a file that is there when a run begins is refused before anything is spent", async () => {
  await using folder = await temporaryFolder();
  const [run, file] = [join(folder.path, "run"), join(folder.path, "STOP")];
  await writeFile(file, "");
  const args = ["optimize", places, "--budget", "60", "--run", run, "--stop-file", file];
  const { code, stderr } = await runCli(args);
  expect(code).toBe(2);
  expect(stderr).toContain("usage-invalid: The file that would stop the run already exists");
  expect((await thrownBy(() => readRun(run))).code).toBe("file-missing");
});

test("a file `stop` in the run's folder does the same without an option", async () => {
  const clock = gateClock(32);
  await using held = await serveRehearsal({ latencyMs: 1, clock });
  await using folder = await temporaryFolder();
  const run = join(folder.path, "run");
  const stop = join(run, "stop");
  const args = ["optimize", places, "--budget", "60", "--cache", "none", "--run", run];
  const running = startCli([...args, "--lm", `${held.url}/v1`]);
  await running.saw("before: ");
  await writeFile(stop, "");
  clock.release();
  const stopped = await running.ended;
  expect(stopped.code).toBe(0);
  expect(stopped.stderr).toContain(`Remove the file to continue: ${espalier} optimize `);
  const { spent } = readRun(run);
  expect(spent.metricCalls).toBeLessThan(60);

  const resume = ["optimize", places, "--resume", run];
  const refused = await runCli(resume);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("The file that stopped the run still exists");
  await rm(stop);
  const resumed = await runCli(resume);
  expect(resumed.code).toBe(0);
  expect(resumed.stderr).toContain(`${stop} is gone: resuming the run that it stopped\n`);
  expect(readRun(run).end?.reason).toBe("budget");
});

test("a folder without a run is refused, not reopened, and nothing is left in it", async () => {
  await using folder = await temporaryFolder();
  const run = join(folder.path, "run");
  expect((await thrownBy(() => reopenRun(run))).code).toBe("file-missing");
  expect(existsSync(run)).toBe(false);
  expect((await thrownBy(() => reopenRun(folder.path))).code).toBe("file-missing");
  expect(await readdir(folder.path)).toEqual([]);
});

test("an optimizer that cannot be ended between two steps is refused by name", async () => {
  const { withStop: _, ...without } = parameterSearch();
  const error = await thrownBy(() => withStopFile(without, { "stop-file": "STOP" }));
  expect(error).toMatchObject({ code: "usage-invalid" });
  expect(error.message).toContain("`parameter-search`");
});

test("an optimizer that was spread from another is not ended by a file as if it were the other", async () => {
  const file = { "stop-file": "STOP" };
  const spread: Optimizer = { ...gepa(), name: "mine" };
  const { version } = spread;
  const error = await thrownBy(() => withStopFile(spread, file));
  expect(error).toMatchObject({ code: "usage-invalid" });
  expect(error.message).toContain(
    `a \`withStop\` that returns \`gepa\` ${version} instead of \`mine\` ${version}`,
  );
  const withItsOwn = (inner: Optimizer): Optimizer => ({
    ...inner,
    name: "mine",
    withStop: (stop) => withItsOwn(inner.withStop?.(stop) ?? inner),
  });
  expect(withStopFile(withItsOwn(gepa()), file)).toMatchObject({
    name: "mine",
    settings: { stop: ["stop-file"] },
  });
});
