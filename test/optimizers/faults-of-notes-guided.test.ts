import { test } from "vitest";
import { trainset } from "espalier/trainset";
import { expectFaultsToChangeNothing } from "./support/expect-faults-to-change-nothing.ts";
import { smallNotesGuided } from "./support/small-notes-guided.ts";

const { trainset: questions } = smallNotesGuided;
const study = {
  ...smallNotesGuided,
  trainset: trainset({
    ...questions,
    splits: { ...questions.splits, test: questions.splits.test.slice(0, 5) },
  }),
};

test("notes-guided compiles to the same with 30 % of calls failing, at concurrency 1 and 64", async () => {
  await expectFaultsToChangeNothing(study, {
    faults: { rateLimit: 0.1, serverError: 0.1, brokenEnvelope: 0.1 },
    concurrencies: [1, 64],
    budget: { metricCalls: 60 },
  });
});
