import type { ReflectionCase } from "../data/compared-candidate.ts";
import type { Evaluated, Ran, RunHistory } from "./run-history.ts";

/** A reflection case by the id of its example. */
export interface CaseById extends Omit<ReflectionCase, "example"> {
  readonly exampleId: string;
}

/** What a run's evaluations say of its candidates. */
export interface Attributed {
  /** By candidate. */
  readonly candidates: readonly AttributedCandidate[];
  /** By refusal: places in `cases`. */
  readonly rejections: readonly (readonly number[])[];
  readonly cases: readonly CaseById[];
  /** Evaluations of proposals that became candidates, and which. */
  readonly numbers: ReadonlyMap<Evaluated, number>;
}

interface AttributedCandidate {
  /**
   * Ids of val whose scores it reuses; `null` where the run's files do not tell.
   */
  readonly reused: ReadonlySet<string> | null;
  /** Its last score on each example of train, by id. */
  readonly train: ReadonlyMap<string, number | null>;
  /** Ids of train whose last score it reuses. */
  readonly trainReused: ReadonlySet<string> | null;
  /** Places in `cases`. */
  readonly cases: readonly number[];
}

/**
 * Says which evaluation belongs to which candidate. A proposal is evaluated before it has a number:
 * its evaluations on val are those of its iteration that agree with the scores it was accepted
 * with, and the one on train is that of the minibatch that decided.
 */
export function attributed({ recorded, moments }: RunHistory): Attributed {
  const { candidates, rejections } = recorded;
  const val = candidates.map((): Evaluated[] => []);
  const train = candidates.map(() => new Map<string, number | null>());
  const trainReused = candidates.map((): Set<string> | null => new Set<string>());
  const lastOnTrain = new Map<number, Evaluated>();
  const lessons = caseLog();
  const casesOf = candidates.map((): readonly number[] => []);
  const casesOfRejections = rejections.map((): readonly number[] => []);
  const numbers = new Map<Evaluated, number>();
  let proposed: Evaluated[] = [];

  const noteTrain = (candidate: number, evaluated: Evaluated): void => {
    const reuses = trainReused[candidate];
    for (const [id, value] of Object.entries(evaluated.scores)) {
      // A score that is known already may be that of a run of its own.
      const isKnown = train[candidate]?.has(id) === true;
      train[candidate]?.set(id, value);
      if (evaluated.ran?.has(id) === true) reuses?.delete(id);
      else if (isKnown) continue;
      else if (evaluated.ran !== undefined) reuses?.add(id);
      else if (evaluated.reused > 0) trainReused[candidate] = null;
    }
    if (evaluated.ran) lessons.note(candidate, evaluated.iteration, evaluated.ran);
    lastOnTrain.set(candidate, evaluated);
  };

  for (const moment of moments) {
    if (moment.kind === "iteration-start") proposed = [];
    if (moment.kind === "evaluated") {
      if (moment.candidate === "proposed") proposed.push(moment);
      else if (moment.split === "val") val[moment.candidate]?.push(moment);
      else noteTrain(moment.candidate, moment);
    }
    if (moment.kind === "accepted") {
      const record = candidates[moment.candidate];
      if (record === undefined) continue;
      const [parent = 0] = record.parents;
      casesOf[record.id] = lessons.places(parent, record.learntFrom);
      const { gate, selection } = record;
      const onVal = proposed.filter(
        ({ split, scores }) => split === "val" && agrees(scores, selection.scores),
      );
      val[record.id]?.push(...onVal);
      const minibatch = proposed.find(
        ({ split, scores }) =>
          split === "train" &&
          gate?.exampleIds.length === Object.keys(scores).length &&
          gate.exampleIds.every((id) => id in scores),
      );
      if (minibatch) noteTrain(record.id, minibatch);
      for (const one of [...onVal, ...(minibatch ? [minibatch] : [])]) numbers.set(one, record.id);
    }
    if (moment.kind === "refused") {
      const refusal = rejections[moment.refusal];
      const [parent] = refusal?.parents ?? [];
      const seen = parent === undefined ? undefined : lastOnTrain.get(parent);
      // A text that was refused unread was tried on no minibatch: the journal does not name one.
      const isTried = proposed.some(({ split }) => split === "train");
      if (parent === undefined || seen?.iteration !== refusal?.iteration || !isTried) continue;
      casesOfRejections[moment.refusal] = lessons.places(parent, Object.keys(seen?.scores ?? {}));
    }
  }
  return {
    candidates: candidates.map(({ id, selection }) => ({
      reused: reusedOf(selection.scores, val[id] ?? []),
      train: train[id] ?? new Map(),
      trainReused: trainReused[id] ?? null,
      cases: casesOf[id] ?? [],
    })),
    rejections: casesOfRejections,
    cases: lessons.cases,
    numbers,
  };
}

type Scores = Evaluated["scores"];

function agrees(part: Scores, whole: Scores): boolean {
  return Object.entries(part).every(([id, value]) => whole[id] === value);
}

/** Ids that none of its evaluations was run on; `null` if one that may be it is not known. */
function reusedOf(scores: Scores, evaluations: readonly Evaluated[]): Set<string> | null {
  const left = new Set(Object.keys(scores));
  const seen = new Set<string>();
  for (const { scores: part, reused, ran } of evaluations) {
    for (const id of Object.keys(part)) {
      seen.add(id);
      if (reused === 0 || ran?.has(id) === true) left.delete(id);
    }
  }
  const isKnown = evaluations.every(({ reused, ran }) => reused === 0 || ran !== undefined);
  return left.size === 0 || (isKnown && [...left].every((id) => seen.has(id))) ? left : null;
}

/** The lessons of each candidate on each example of train; of several runs of one, the last. */
function caseLog(): {
  readonly cases: readonly CaseById[];
  note(candidate: number, iteration: number, ran: Ran): void;
  places(candidate: number, ids: readonly string[]): readonly number[];
} {
  const found = new Map<string, CaseById>();
  const cases: CaseById[] = [];
  const placeOf = new Map<CaseById, number>();
  const keyOf = (candidate: number, id: string): string => `${candidate} ${id}`;
  return {
    cases,
    note: (candidate, iteration, ran) => {
      for (const [exampleId, { value, lesson }] of ran) {
        if (lesson === undefined) continue;
        const { excused: _excused, score = value, ...shown } = lesson;
        found.set(keyOf(candidate, exampleId), {
          exampleId,
          candidate,
          iteration,
          score,
          ...shown,
        });
      }
    },
    places: (candidate, ids) =>
      ids.flatMap((id) => {
        const one = found.get(keyOf(candidate, id));
        if (one === undefined) return [];
        const index = placeOf.get(one) ?? cases.push(one) - 1;
        placeOf.set(one, index);
        return [index];
      }),
  };
}
