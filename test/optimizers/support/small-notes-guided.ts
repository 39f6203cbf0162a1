import type { Example, SplitName, Study } from "espalier";
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import { trainset } from "espalier/trainset";
import declareNotesGuided from "../../../optimizers/notes-guided.ts";
import { rehearsalParts } from "../../support/rehearsal-parts.ts";

const notesGuided = await declareNotesGuided(rehearsalParts());

type Row = (typeof notesGuided.trainset.splits.train)[number];

/**
 * The study of the notes-guided retriever on twenty follow-up questions of each split, so that a
 * test takes seconds: the same program, collection, indexes and metric. It learns from some of val
 * and selects on some of train, where the seed is poor, so that a proposal is accepted, and what is
 * compiled is not what was declared.
 */
export const smallNotesGuided: Study<any, any, any> = study({
  ...notesGuided,
  name: "small-notes-guided",
  trainset: trainset({
    ...notesGuided.trainset,
    name: "four-shelves-follow-ups",
    splits: { train: followUps("val"), val: followUps("train"), test: followUps("test") },
  }),
  optimizer: gepa({ search: { minibatchSize: 10 }, budget: { metricCalls: 100 } }),
  variants: {},
});

/** Twenty of the split, from all of its conversations. */
function followUps(split: SplitName): readonly Example<Row["input"], Row["labels"]>[] {
  const asked = notesGuided.trainset.splits[split].filter(
    ({ input, labels }) => input.history.length > 0 && Object.keys(labels.relevant).length > 0,
  );
  const step = Math.floor(asked.length / 20);
  return asked.filter((_, index) => index % step === 0).slice(0, 20);
}
