import { it } from "vitest";
import { expectKillsToChangeNothing } from "./support/kill-and-resume.ts";

it("killed at twenty random moments, in five runs, and resumed, gives the same artifacts", async () => {
  await expectKillsToChangeNothing({ runs: 5, killsPerRun: 4, seed: 2 });
});
