import type { Trainset } from "../../contract/index.ts";
import type { ListedResult, RunFigures } from "../../report-page/index.ts";
import type { ComparedRun, ResultGiven, RunGiven } from "../../report/index.ts";
import { compareRuns, isUnchanged } from "../../report/index.ts";

/** For claims on val alone: a figure on test comes from the run's own report. */
const resamples = 2_000;

/** What a list says of a run; with its trainset, intervals are by clusters. */
export function runFigures(given: RunGiven, trainset?: Trainset): RunFigures {
  const { sources, headline } = compareRuns([given], { resamples, ...(trainset && { trainset }) });
  const run = sources[0] as ComparedRun;
  const { optimizer, seed, subject, isRehearsal, candidates, best, spending, budget } = run;
  const { spent, costUsd, elapsedMs } = spending;
  const { measures = [], seen } = candidates[best ?? -1] ?? {};
  const quality = measures.find(({ name }) => name === "quality");
  const cap = budget["metricCalls"];
  return {
    optimizer: optimizer.name,
    seed,
    ...(subject.program && { program: subject.program.name }),
    ...(subject.lm !== undefined && { lm: subject.lm }),
    isRehearsal,
    best:
      best === null || quality === undefined
        ? null
        : {
            candidate: best,
            value: quality.value,
            interval: quality.interval,
            ...(seen !== undefined && { seen }),
          },
    claim:
      best !== null && isUnchanged(run, best)
        ? "unchanged"
        : headline && {
            split: headline.split,
            metric: headline.metric,
            value: headline.value,
            difference: headline.difference,
            interval: headline.interval,
            verdict: headline.verdict,
            words: headline.words,
            ...(headline.fell && { fell: headline.fell }),
          },
    spent: spent ?? { metricCalls: 0, reflectionCalls: 0, lmCalls: 0, tokens: 0 },
    costUsd,
    elapsedMs,
    metricCallsCap: typeof cap === "number" ? cap : null,
  };
}

/** What a list says of a result of `eval`. */
export function resultFigures({ result }: ResultGiven): NonNullable<ListedResult["figures"]> {
  const { study, split, lm, isRehearsal, evaluation } = result;
  const { program, metric, value, interval } = evaluation;
  return {
    study,
    program: program.name,
    split,
    lm: lm.model,
    isRehearsal,
    metric: metric.name,
    value,
    interval,
  };
}
