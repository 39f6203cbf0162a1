import { it } from "vitest";
import { expectKillsToChangeNothing } from "./support/kill-and-resume.ts";

it.each([
  ["of texts and then of demonstrations", "places-in-turn", 110, 2],
  ["of texts and demonstrations together", "places-jointly", 90, 3],
  ["as MIPROv2 makes it", "places-mipro", 90, 4],
  ["of weights of decisions", "places-weighed", 60, 5],
  ["of demonstrations, each call's nearest among them", "places-nearest", 80, 6],
  ["of parameters by TPE", "dials-by-tpe", 60, 7],
])("killed in a search %s, gives the same, too", async (_, study, budget, seed) => {
  const path = `test/cli/fixtures/${study}.ts`;
  await expectKillsToChangeNothing({ study: path, budget, runs: 1, killsPerRun: 3, seed });
});

it("killed at three random moments and resumed, gives the same artifact and asks nothing twice", async () => {
  await expectKillsToChangeNothing({ runs: 1, killsPerRun: 3, seed: 1 });
});
