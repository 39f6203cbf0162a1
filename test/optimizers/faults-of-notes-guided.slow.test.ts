import { study } from "espalier";
import { trainset } from "espalier/trainset";
import { test } from "vitest";
import declareNotesGuided from "../../optimizers/notes-guided.ts";
import { expectFaultsToChangeNothing } from "./support/expect-faults-to-change-nothing.ts";
import { rehearsalParts } from "../support/rehearsal-parts.ts";

const notesGuided = await declareNotesGuided(rehearsalParts());

const { train, val, test: held } = notesGuided.trainset.splits;
/** It selects on the smaller of the two splits, so that a small budget allows some proposals. */
const quicker = study({
  ...notesGuided,
  trainset: trainset({ ...notesGuided.trainset, splits: { train: val, val: train, test: held } }),
  variants: {},
});

test("the whole notes-guided study compiles to the same with 30 % of calls failing, stalls among them, at concurrency 1, 8 and 64", async () => {
  await expectFaultsToChangeNothing(quicker, {
    faults: { stall: 0.02, rateLimit: 0.09, serverError: 0.09, brokenEnvelope: 0.1 },
    concurrencies: [1, 8, 64],
    budget: { metricCalls: 600 },
  });
});
