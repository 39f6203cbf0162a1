import { it } from "vitest";
import { expectKillsToChangeNothing } from "./support/kill-and-resume.ts";

it("killed at a hundred random moments, in ten runs, and resumed, gives the same artifacts", async () => {
  await expectKillsToChangeNothing({ runs: 10, killsPerRun: 10, seed: 2 });
});

it("killed at thirty random moments, in three runs, a joint search gives the same artifacts", async () => {
  const study = "test/cli/fixtures/places-jointly.ts";
  await expectKillsToChangeNothing({ study, budget: 120, runs: 3, killsPerRun: 10, seed: 5 });
});
