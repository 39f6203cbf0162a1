import { it } from "vitest";
import { expectKillsToChangeNothing } from "./support/kill-and-resume.ts";

it("killed in a search of texts and then of demonstrations, gives the same, too", async () => {
  const study = "test/cli/fixtures/places-in-turn.ts";
  await expectKillsToChangeNothing({ study, budget: 110, runs: 1, killsPerRun: 3, seed: 2 });
});

it("killed in a search of texts and demonstrations together, gives the same, too", async () => {
  const study = "test/cli/fixtures/places-jointly.ts";
  await expectKillsToChangeNothing({ study, budget: 90, runs: 1, killsPerRun: 3, seed: 3 });
});

it("killed in a search as MIPROv2 makes it, gives the same, too", async () => {
  const study = "test/cli/fixtures/places-mipro.ts";
  await expectKillsToChangeNothing({ study, budget: 90, runs: 1, killsPerRun: 3, seed: 4 });
});

it("killed at three random moments and resumed, gives the same artifact and asks nothing twice", async () => {
  await expectKillsToChangeNothing({ runs: 1, killsPerRun: 3, seed: 1 });
});
