/**
 * Measures whether optimizers benefit from the content of what they are given: the same search with
 * real feedback, with none, and with each training example's feedback given to another; and
 * demonstrations as found, and with the outputs of one another. Runs in process, with the rehearsal
 * LM, and for demonstrations with a mock that knows only what they show. Exits with 1 if a
 * limit is missed, or if nothing was measured.
 */
import { compare, evaluate } from "espalier/evaluate";
import { optimize } from "espalier/optimizer";
import { rehearsalLm } from "@espalier/rehearsal";
import declareNotesGuided from "../../optimizers/notes-guided.ts";
import { benchOptions, report } from "./support/bench-options.ts";
import type { Limit } from "./optimizers/limit.ts";
import { blanked, feedbackOf, shuffled } from "./support/placebo-feedback.ts";
import { placeboLimits } from "./support/placebo-limits.ts";
import type { SearchRow } from "./support/placebo-searches.ts";
import { demonstrationRows, feedbackRows } from "./support/placebo-searches.ts";
import { placeboTable } from "./support/placebo-table.ts";
import { rehearsalParts } from "../support/rehearsal-parts.ts";

const notesGuided = await declareNotesGuided(rehearsalParts());

const { json, sizes } = benchOptions(
  "placebo",
  "Optimizes with real feedback, with none, and with another example's (rehearsal LM).",
  {
    seeds: [3, "Runs of each kind"],
    budget: [3_000, "Metric calls per run of gepa()"],
    "small-seeds": [3, "Runs of each kind of the other searches, of 150 and 200 metric calls"],
  },
);
const { program, trainset, objective, optimizer } = notesGuided;
if (optimizer === undefined) throw new Error("The study names no optimizer.");
const lm = rehearsalLm();
const { train, test } = trainset.splits;

const rows: SearchRow[] = [];
for (let seed = 0; seed < sizes.seeds; seed++) {
  const onTest = { examples: test, metric: objective, lm, seed };
  const before = await evaluate({ ...onTest, program });
  const judged = await evaluate({ ...onTest, program, examples: train, resamples: 0 });
  const said = feedbackOf(
    train,
    judged.rows.map(({ score }) => score),
  );
  const arms = {
    real: objective,
    blanked: blanked(objective),
    shuffled: shuffled(objective, said, seed),
  };
  for (const [feedback, metric] of Object.entries(arms)) {
    const found = await optimize(
      { program, trainset, objective: metric },
      { optimizer, budget: { metricCalls: sizes.budget }, lm, seed },
    );
    const after = await evaluate({ ...onTest, program: found.program });
    const { difference, interval, verdict } = compare(before, after);
    rows.push({
      search: optimizer.name,
      feedback,
      seed,
      accepted: found.candidates.length - 1,
      refused: countBy(found.rejections.map(({ reason }) => reason)),
      before: before.value ?? Number.NaN,
      after: after.value ?? Number.NaN,
      difference,
      interval,
      verdict,
    });
    console.error(`seed ${seed}, ${feedback} feedback: done`);
  }
}
const demonstrations: SearchRow[] = [];
const feedbacks: SearchRow[] = [];
for (let seed = 0; seed < sizes["small-seeds"]; seed++) {
  demonstrations.push(...(await demonstrationRows(seed)));
  feedbacks.push(...(await feedbackRows(seed)));
  console.error(`seed ${seed} of the other searches: done`);
}
const limits = placeboLimits({ feedbacks: [...rows, ...feedbacks], demonstrations });
const missed = limits.flatMap(([limit, outcome]) =>
  typeof outcome === "object" ? [`${limit}; measured: ${outcome.missed}`] : [],
);
const unchecked = having("unchecked");
report(
  json,
  [
    `${notesGuided.name} on ${trainset.name}, ${objective.name} on test; ${sizes.budget} metric calls per run`,
    ...placeboTable(rows),
    ...tablesOf("feedback, on invented places", feedbacks),
    ...tablesOf("demonstrations, on questions that only these answer (a mock)", demonstrations),
    "",
    ...missed.map((limit) => `MISSED: ${limit}`),
    ...unchecked.map((limit) => `NOT CHECKED: ${limit}`),
    `${having("kept").length} limits hold.`,
    "rehearsal: figures from the rehearsal LM say nothing about a real model",
  ].join("\n"),
  {
    rehearsal: true,
    trainset: trainset.name,
    metric: objective.name,
    ...sizes,
    rows,
    demonstrations,
    feedbacks,
    missed,
    unchecked,
  },
);
if (missed.length > 0 || unchecked.length === limits.length) process.exitCode = 1;

function having(one: Limit[1]): readonly string[] {
  return limits.flatMap(([limit, outcome]) => (outcome === one ? [limit] : []));
}

/** A table for each search. */
function tablesOf(what: string, all: readonly SearchRow[]): readonly string[] {
  return [...Map.groupBy(all, ({ search }) => search)].flatMap(([search, ofSearch]) => [
    "",
    `${search}: ${what}`,
    ...placeboTable(ofSearch),
  ]);
}

function countBy<TName extends string>(
  names: readonly TName[],
): Readonly<Partial<Record<TName, number>>> {
  const groups = Map.groupBy(names, (name) => name);
  return Object.fromEntries([...groups].map(([name, { length }]) => [name, length])) as Partial<
    Record<TName, number>
  >;
}
