import type { MessagePort } from "node:worker_threads";
import { EspalierError, messageOf } from "../../errors/index.ts";
import type { Study } from "../../study/index.ts";
import type {
  ComparedRun,
  ResultGiven,
  RunComparison,
  RunGiven,
  SourceGiven,
} from "../../report/index.ts";
import {
  compareRuns,
  isUnchanged,
  replayRollouts,
  resultRollouts,
  trainsetOf,
} from "../../report/index.ts";
import { serverFigures } from "./server-figures.ts";
import type { Trainset } from "../../contract/index.ts";
import type { ListedResult, RunFigures } from "../../report-page/index.ts";
import type {
  OneRollout,
  ReadGiven,
  RolloutGiven,
  SourceWork,
  ThreadAnswer,
  ThreadRequest,
} from "./source-work.ts";

export interface ThreadTools {
  /** Reads a run's folder, a result or an artifact. */
  readonly readSource: (path: string) => Promise<SourceGiven>;
  /** The studies that were named, each on the trainset of this name, if it has a variant on it. */
  readonly studiesOn: (trainset: string | undefined) => Promise<readonly Study[]>;
}

/** Answers a studio's requests from a thread of its own, one after the other. */
export function answerInThread(port: MessagePort, tools: ThreadTools): void {
  const work = sourceWork(tools);
  const answer = async ({ number, name, given }: ThreadRequest): Promise<void> => {
    const ask = work[name] as (given: unknown) => Promise<unknown>;
    const found = await ask(given).then(
      (value): ThreadAnswer => ({ number, value }),
      (error: unknown): ThreadAnswer => ({ number, problem: messageOf(error), ...ownOf(error) }),
    );
    port.postMessage(found, buffersOf(found));
  };
  let before = Promise.resolve();
  port.on("message", (request: ThreadRequest) => {
    before = before.then(() => answer(request));
  });
}

/** The clone of an error is no error of ours any more. */
function ownOf(error: unknown): Pick<ThreadAnswer, "own"> {
  return EspalierError.isInstance(error) ? { own: { code: error.code, ...error.report } } : {};
}

/** A comparison moves to the other thread, where it would else be copied. */
function buffersOf({ value }: ThreadAnswer): ArrayBuffer[] {
  const { json } = (value ?? {}) as { readonly json?: Uint8Array<ArrayBuffer> };
  return json === undefined ? [] : [json.buffer];
}

/** Sources that stay read: those of one comparison, most of the time. */
const maxRead = 8;

function sourceWork({ readSource, studiesOn }: ThreadTools): SourceWork {
  const read = new Map<string, { readonly stamp: string; readonly source: SourceGiven }>();

  const sourceAt = async ({ path, stamp }: ReadGiven): Promise<SourceGiven> => {
    const held = read.get(path);
    const source = held?.stamp === stamp ? held.source : await readSource(path);
    // The newest last.
    read.delete(path);
    // The aliases of an artifact move without it.
    if (source.kind !== "artifact") read.set(path, { stamp, source });
    for (const old of [...read.keys()].slice(0, -maxRead)) read.delete(old);
    return source;
  };

  /** The named studies with the data of all of the sources that tell theirs. */
  const studiesOf = async (sources: readonly SourceGiven[]): Promise<readonly Study[]> => {
    const trainsets = sources.flatMap((source) => trainsetOf(source) ?? []);
    const [first] = trainsets;
    if (first?.checksum === undefined) return [];
    if (trainsets.some(({ checksum }) => checksum !== first.checksum)) return [];
    const studies = await studiesOn(first.name);
    return studies.filter(({ trainset }) => trainset.checksum === first.checksum);
  };

  return {
    loadStudies: async () => {
      await studiesOn(undefined);
      return null;
    },
    compare: async ({ items, resamples }) => {
      const sources: SourceGiven[] = [];
      for (const item of items) sources.push({ ...(await sourceAt(item)), path: item.id });
      const studies = await studiesOf(sources);
      const [study] = studies;
      const comparison = compareRuns(sources, {
        resamples,
        ...(study && { trainset: study.trainset }),
      });
      const isNamed = study === undefined && (await studiesOn(undefined)).length > 0;
      return {
        json: jsonOf({
          ...comparison,
          notes: [
            ...(isNamed ? ["None of the named studies has the data of these sources."] : []),
            ...comparison.notes,
          ],
        }),
        sources: comparison.sources.map(({ key }, index) => {
          const source = sources[index] as SourceGiven;
          const hasRollouts =
            source.kind === "result" ||
            (source.kind === "run" && studyOfRun(studies, source) !== undefined);
          return { key, hasRollouts };
        }),
      };
    },
    figures: async (given) => {
      const source = await sourceAt(given);
      if (source.kind === "result") return { kind: "result", figures: resultFigures(source) };
      if (source.kind === "artifact") throw new Error("It is neither a run nor a result.");
      const [study] = await studiesOf([source]);
      return { kind: "run", figures: runFigures(source, study?.trainset) };
    },
    server: ({ path }) => serverFigures(path),
    rollout: async (given) => {
      const source = await sourceAt(given);
      const found =
        source.kind === "result"
          ? resultRollouts(source.result.evaluation, placed(given))
          : source.kind === "run"
            ? await replayed(source, await studiesOf([source]), given)
            : [];
      const [rollout] = found;
      if (rollout === undefined) throw new Error("This source has no such run.");
      const { source: _source, candidate: _candidate, example: _example, ...one } = rollout;
      return one satisfies OneRollout;
    },
  };
}

async function replayed(source: RunGiven, studies: readonly Study[], given: RolloutGiven) {
  const study = studyOfRun(studies, source);
  if (study === undefined) {
    throw new Error(
      "To replay this run, start the studio with --study STUDY: it needs the run's program, data and metric.",
    );
  }
  const { candidate, split } = given;
  const { path: folder, history } = source;
  return replayRollouts(study, { ...placed(given), folder, history, candidate, split });
}

function placed({ exampleId }: RolloutGiven) {
  return { source: "", exampleIds: [exampleId], placeOf: () => 0 };
}

/** Of studies with the data of a run, one with its program. */
function studyOfRun(studies: readonly Study[], { history }: RunGiven): Study | undefined {
  const { program } = history.recorded.run as { readonly program?: { readonly name: string } };
  return studies.find((study) => study.program.name === program?.name);
}

function jsonOf(comparison: RunComparison): Uint8Array<ArrayBuffer> {
  try {
    return new TextEncoder().encode(JSON.stringify(comparison));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new EspalierError({
      code: "option-invalid",
      problem: "The comparison is too large for a page",
      expected: "at most about 500 MB as JSON",
      fix: "Compare fewer runs.",
      cause: error,
    });
  }
}

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
function resultFigures({ result }: ResultGiven): NonNullable<ListedResult["figures"]> {
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
