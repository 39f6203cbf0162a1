import type { Demonstration, LanguageModel, Study } from "espalier";
import type { Comparison } from "espalier/evaluate";
import { compare, evaluate } from "espalier/evaluate";
import type { OptimizationResult, Optimizer } from "espalier/optimizer";
import { bootstrapFewShot, miproV2, optimize } from "espalier/optimizer";
import { rehearsalLm } from "@espalier/rehearsal";
import { kindsLm, kindsStudy } from "../../optimizer/few-shot/support/kinds.ts";
import { placeStudy } from "../../optimizer/support/place-search.ts";
import { luckyKindsLm } from "./lucky-kinds.ts";
import { dealt } from "./placebo-demonstrations.ts";
import { blanked, feedbackOf, shuffled } from "./placebo-feedback.ts";
import type { PlaceboRow } from "./placebo-table.ts";

/** Rows of one search, by what it was given. */
export type SearchRow = PlaceboRow & { readonly search: string };

export const demonstrationSearches = {
  "bootstrap-few-shot": bootstrapFewShot({ trials: 12 }),
  "mipro-v2": miproV2(),
} satisfies Readonly<Record<string, Optimizer>>;

/**
 * Demonstrations as found, and with the outputs of one another. The LM is a mock that knows
 * nothing but what demonstrations show.
 */
export async function demonstrationRows(
  seed: number,
  searches: Readonly<Record<string, Optimizer>> = demonstrationSearches,
): Promise<readonly SearchRow[]> {
  const rows: SearchRow[] = [];
  for (const [search, optimizer] of Object.entries(searches)) {
    const study = kindsStudy as Study;
    const run = { search, study, optimizer, seed, lm: kindsLm, metricCalls: 200 };
    const found = await searched(run);
    rows.push(
      row(run, "found", found, await gainOf(run, found.components)),
      row(run, "dealt", found, await gainOf(run, dealt(found.components, seed, kindOf))),
    );
  }
  return rows;
}

/**
 * A search to which demonstrations are dealt whenever it shows them, and scores have much luck, so
 * that chance alone makes candidates differ.
 */
export async function luckyRow(
  seed: number,
  [search, optimizer]: readonly [search: string, optimizer: Optimizer],
  options?: Parameters<typeof luckyKindsLm>[1],
): Promise<SearchRow & { readonly claimed: number; readonly shown: number }> {
  const lm = luckyKindsLm(seed, options);
  const run = { search, study: kindsStudy as Study, optimizer, seed, lm, metricCalls: 200 };
  const found = await searched(run);
  const { best, candidates } = found;
  return {
    ...row(run, "dealt", found, await gainOf(run, found.components)),
    shown: found.components.flatMap((one) => (one.kind === "demos" ? one.value : [])).length,
    claimed: (best.selection.value ?? NaN) - (candidates[0]?.selection.value ?? NaN),
  };
}

/** `miproV2()` with real feedback, with none, and with another example's. */
export async function feedbackRows(seed: number): Promise<readonly SearchRow[]> {
  const rows: SearchRow[] = [];
  const { train } = placeStudy.trainset.splits;
  const lm = rehearsalLm();
  const { objective, program } = placeStudy;
  const judged = await evaluate({ program, examples: train, metric: objective, lm, resamples: 0 });
  const said = feedbackOf(
    train,
    judged.rows.map(({ score }) => score),
  );
  const objectives = {
    real: objective,
    blanked: blanked(objective),
    shuffled: shuffled(objective, said, seed),
  };
  for (const [feedback, metric] of Object.entries(objectives)) {
    const study = { ...placeStudy, objective: metric };
    const run = { search: "mipro-v2", optimizer: miproV2(), study, seed, lm, metricCalls: 150 };
    const found = await searched(run);
    rows.push(row(run, feedback, found, await gainOf(run, found.components)));
  }
  return rows;
}

/** What a question is about: an answer to one is of use for others of its kind. */
function kindOf({ inputs }: Demonstration): string {
  return /What of the (\w+) number/.exec(JSON.stringify(inputs))?.[1] ?? "";
}

interface Run {
  readonly optimizer: Optimizer;
  readonly search: string;
  readonly study: Study;
  readonly seed: number;
  readonly lm: LanguageModel;
  readonly metricCalls: number;
}

function searched({ study, optimizer, seed, lm, metricCalls }: Run): Promise<OptimizationResult> {
  const reflectionLm = rehearsalLm();
  return optimize(study, { optimizer, seed, lm, reflectionLm, budget: { metricCalls } });
}

interface Gain extends Pick<Comparison, "difference" | "interval" | "verdict"> {
  readonly before: number;
  readonly after: number;
}

async function gainOf(
  { study, seed, lm }: Run,
  components: OptimizationResult["components"],
): Promise<Gain> {
  const { program, objective: metric, trainset } = study;
  const onTest = { examples: trainset.splits.test, metric, lm, seed };
  const before = await evaluate({ ...onTest, program });
  const after = await evaluate({ ...onTest, program: program.with(components) });
  const { difference, interval, verdict } = compare(before, after);
  const [from = Number.NaN, to = Number.NaN] = [
    before.value ?? undefined,
    after.value ?? undefined,
  ];
  return { before: from, after: to, difference, interval, verdict };
}

function row(
  { search, seed }: Run,
  feedback: string,
  { candidates, rejections }: OptimizationResult,
  gain: Gain,
): SearchRow {
  const refused = Object.fromEntries(
    [...Map.groupBy(rejections, ({ reason }) => reason)].map(([reason, all]) => [
      reason,
      all.length,
    ]),
  );
  const accepted = candidates.length - 1;
  return { search, feedback, seed, accepted, refused, ...gain };
}
