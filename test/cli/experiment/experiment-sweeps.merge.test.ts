import { test } from "vitest";
import type { CapOption } from "./resume-under-caps.ts";
import { expectCapsToHold } from "./resume-under-caps.ts";

// Without a cap, the rows take 148 calls, 82,549 tokens, 0.86 dollars and 72 metric calls.
test.each<[option: CapOption, caps: readonly number[]]>([
  ["--max-lm-calls", [1, 5, 12, 30, 55, 60, 20, 66, 75, 110]],
  ["--max-tokens", [500, 3_000, 11_000, 30_000, 40_000, 43_000, 9_000, 45_000, 60_000]],
  ["--max-usd", [0.001, 0.02, 0.1, 0.3, 0.45, 0.5, 0.05, 0.55, 0.7]],
  ["--budget", [1, 6, 12, 20, 27, 10, 40, 60]],
])("an experiment resumed under %s %j, one after the other", async (option, caps) => {
  await expectCapsToHold(
    option,
    caps.map((cap) => ({ cap })),
  );
});

test("an experiment killed under one cap and resumed under others", async () => {
  await expectCapsToHold("--max-lm-calls", [
    { cap: 90, killAfter: 7 },
    { cap: 70, killAfter: 20 },
    { cap: 60 },
    { cap: 40 },
    { cap: 75, killAfter: 9 },
  ]);
});
