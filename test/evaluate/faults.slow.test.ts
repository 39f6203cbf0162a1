import { it } from "vitest";
import { expectFaultsToChangeNothing } from "./under-faults.ts";

it("an evaluation of 1,000 examples under 30 % faults, with a stall timeout of 1 s, equals the one without", async () => {
  await expectFaultsToChangeNothing(1_000, 1_000);
});
