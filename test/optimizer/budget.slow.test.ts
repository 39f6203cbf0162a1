import { expect, it } from "vitest";
import { amountsOf, expectCapToHold } from "./support/expect-caps-to-hold.ts";
import { searches } from "./support/searches.ts";

it.each(searches)(
  "%s exceeds no cap from 0 up, and ends with a result that its folder repeats, or a refusal",
  async (_, { studyOf, budget }) => {
    const study = studyOf();
    const whole = await amountsOf(study, budget);
    const ends = new Set<string>();
    for (let metricCalls = 0; metricCalls <= whole.metricCalls + 8;) {
      ends.add(await expectCapToHold(study, { metricCalls }));
      metricCalls += metricCalls < 14 ? 7 : 20;
    }
    for (const cap of ["lmCalls", "tokens", "costUsd", "wallTimeMs"] as const) {
      for (const share of [0.1, 0.5, 0.9]) {
        const limit = share * whole[cap];
        const allowed = cap === "lmCalls" ? Math.ceil(limit) : limit;
        ends.add(await expectCapToHold(study, { [cap]: allowed }));
      }
    }
    if (whole.reflectionCalls > 0) {
      for (let reflectionCalls = 1; reflectionCalls < whole.reflectionCalls; reflectionCalls += 5) {
        ends.add(await expectCapToHold(study, { ...budget, reflectionCalls }));
      }
    }
    expect(ends).toContain("option-invalid");
    expect(ends).toContain("budget-exhausted");
    expect(ends).toContain("budget");
  },
);
