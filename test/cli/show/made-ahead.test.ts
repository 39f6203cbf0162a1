import { join } from "node:path";
import { expect, it } from "vitest";
import { readRun } from "espalier/optimizer";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it("tells what was made ahead and lost, in the plan and of the run", async () => {
  await using folder = await temporaryFolder();
  const run = join(folder.path, "run");
  const study = "test/cli/fixtures/places-ahead.ts";
  const planned = await runMain(["optimize", study, "--budget", "120", "--plan"]);
  expect(planned.stderr).toMatch(
    /^of the calls to the reflection LM, about \d+ may be for texts that are asked for ahead/m,
  );
  const ended = await runMain(["optimize", study, "--budget", "120", "--run", run]);
  expect(ended.code).toBe(0);
  const { ahead } = readRun(run);
  if (ahead === undefined) throw new Error("nothing was made ahead");
  const { texts, rollouts } = ahead;
  expect(Math.min(texts.used, texts.made - texts.used)).toBeGreaterThan(0);
  const { stdout } = await runMain(["show", run]);
  expect(stdout).toContain(
    `\nmade ahead of their iteration: ${texts.made} texts, ${texts.made - texts.used} of them not needed; ` +
      `${rollouts.made} runs on train, ${rollouts.made - rollouts.used} of them not needed\n`,
  );
});
