import { it } from "vitest";
import { expectKillsToChangeNothing } from "./support/kill-and-resume.ts";

it("killed at a hundred random moments, in ten runs, and resumed, gives the same artifacts", async () => {
  await expectKillsToChangeNothing({ runs: 10, killsPerRun: 10, seed: 2 });
});

it.each([
  ["miproV2()", "places-by-mipro", 120, 5],
  ["several proposals at a time", "places-widely", 100, 10],
  ["a fit of decisions", "places-weighed", 60, 8],
  ["a search of nearest demonstrations", "places-nearest", 80, 9],
])(
  "killed at thirty random moments, in three runs, %s gives the same artifacts",
  async (_, study, budget, seed) => {
    const path = `test/cli/fixtures/${study}.ts`;
    await expectKillsToChangeNothing({ study: path, budget, runs: 3, killsPerRun: 10, seed });
  },
);

it.each([
  ["texts and then demonstrations", "places-in-turn", 110, 2],
  ["MIPROv2", "places-mipro", 90, 4],
  ["parameters by TPE", "dials-by-tpe", 130, 7],
])(
  "killed at ten random moments, a search of %s gives the same artifact",
  async (_, study, budget, seed) => {
    const path = `test/cli/fixtures/${study}.ts`;
    await expectKillsToChangeNothing({ study: path, budget, runs: 1, killsPerRun: 10, seed });
  },
);
