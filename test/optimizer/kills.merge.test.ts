import { it } from "vitest";
import { expectKillsToChangeNothing } from "./support/kill-and-resume.ts";

it("killed at three random moments and resumed, gives the same artifact and asks nothing twice", async () => {
  await expectKillsToChangeNothing({ runs: 1, killsPerRun: 3, seed: 1 });
});

it("killed in a wide search, gives the same, too", async () => {
  const study = "test/cli/fixtures/places-widely.ts";
  await expectKillsToChangeNothing({ study, budget: 80, runs: 1, killsPerRun: 3, seed: 6 });
});

it("killed in miproV2(), gives the same, too", async () => {
  const study = "test/cli/fixtures/places-by-mipro.ts";
  await expectKillsToChangeNothing({ study, budget: 90, runs: 1, killsPerRun: 3, seed: 3 });
});
