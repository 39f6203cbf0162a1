import type { Component } from "../../../contract/index.ts";
import { componentId, oncePer } from "../../../internal/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { componentText, predictorOf } from "../../candidate/components.ts";
import type { Rollout } from "../../evaluation/index.ts";
import { feedbackOn, teaches } from "../../proposal/case/reflective-cases.ts";

/** What a candidate learned from one training example. */
export interface Lesson {
  /** The candidate's own rollout, or an ancestor's, whose feedback may still apply. */
  readonly rollout: Rollout;
  /** Components that have been changed because of it since. */
  readonly actedOn: ReadonlySet<string>;
}

/**
 * What training examples taught each candidate. A child inherits its parent's lessons, so an
 * example need not be run again for feedback that has not been acted on yet.
 */
export interface Lessons {
  /**
   * What rollouts say about a predictor, without the score; `null` when a rollout teaches nothing
   * about it: the predictor did not run, or the feedback concerns only others.
   */
  readonly saidOf: (predictor: string) => (rollout: Rollout) => string | null;
  /** By example id. */
  readonly of: (candidate: number) => ReadonlyMap<string, Lesson>;
  /**
   * Adds the lessons of a candidate's own rollouts, replacing older ones. A fault teaches nothing;
   * an example that ends in a fault a second time counts as known to this candidate, so it is not
   * run forever.
   */
  readonly add: (candidate: number, rollouts: readonly Rollout[]) => void;
  /** Adds a new candidate, which acted on lessons and on all with the same feedback. */
  readonly inherit: (
    child: CandidateRecord,
    acted: { readonly exampleIds: readonly string[]; readonly components: readonly Component[] },
  ) => void;
  /** Records that changing these texts because of a rollout's feedback failed. */
  readonly fail: (components: readonly Component[], rollout: Rollout) => void;
  /**
   * Whether changing this text because of a rollout's feedback, or of the same feedback from
   * another example, failed before.
   */
  readonly failedOn: (component: Component) => (rollout: Rollout) => boolean;
  /** Forgets failures, which the reflection LM may have caused. */
  readonly forgive: () => void;
}

/** The part of lessons that strategies see. */
export type KnownLessons = Omit<Lessons, "add" | "inherit" | "fail">;

export function lessons(): Lessons {
  const byCandidate = new Map<number, Map<string, Lesson>>();
  /** By component, then by its text: the feedback that did not lead to an improvement. */
  const failures = new Map<string, Map<string, Set<string>>>();
  /** By candidate: examples that ended in a fault. */
  const faults = new Map<number, Set<string>>();
  const none = new Set<string>();
  const byPredictor = new Map<string, (rollout: Rollout) => string | null>();
  const saidOf: Lessons["saidOf"] = (predictor) => {
    const known =
      byPredictor.get(predictor) ??
      oncePer((rollout: Rollout) =>
        teaches(rollout, predictor) ? feedbackOn(rollout, predictor) : null,
      );
    byPredictor.set(predictor, known);
    return known;
  };
  /** Without feedback, each example is a lesson of its own. */
  const lessonFor = (component: Component): ((rollout: Rollout) => string) => {
    const feedbackIn = saidOf(predictorOf(component));
    return (rollout) => feedbackIn(rollout) || rollout.exampleId;
  };
  /**
   * Records that these examples, and so all with the same feedback, led to a change of a component.
   */
  const act = (
    held: Map<string, Lesson>,
    component: Component,
    exampleIds: readonly string[],
  ): void => {
    const lessonIn = lessonFor(component);
    const changed = componentId(component);
    const acted = new Set<string>();
    for (const exampleId of exampleIds) {
      const lesson = held.get(exampleId);
      if (lesson !== undefined) acted.add(lessonIn(lesson.rollout));
    }
    for (const { rollout, actedOn } of held.values()) {
      if (!acted.has(lessonIn(rollout))) continue;
      held.set(rollout.exampleId, { rollout, actedOn: new Set(actedOn).add(changed) });
    }
  };
  const ofCandidate = (id: number): Map<string, Lesson> => {
    const held = byCandidate.get(id) ?? new Map<string, Lesson>();
    byCandidate.set(id, held);
    return held;
  };
  const isFirstFault = (candidate: number, { exampleId }: Rollout): boolean => {
    const before = faults.get(candidate) ?? new Set();
    if (before.has(exampleId)) return false;
    faults.set(candidate, before.add(exampleId));
    return true;
  };
  return {
    saidOf,
    of: ofCandidate,
    add: (candidate, rollouts) => {
      const held = ofCandidate(candidate);
      for (const rollout of rollouts) {
        if (rollout.score.kind === "unscored" && isFirstFault(candidate, rollout)) continue;
        held.set(rollout.exampleId, { rollout, actedOn: none });
      }
    },
    inherit: ({ id, parents }, { exampleIds, components }) => {
      const held = ofCandidate(id);
      for (const parent of parents) {
        for (const lesson of ofCandidate(parent).values()) {
          const { exampleId, score } = lesson.rollout;
          if (score.kind !== "unscored" && !held.has(exampleId)) held.set(exampleId, lesson);
        }
      }
      for (const component of components) act(held, component, exampleIds);
    },
    fail: (components, rollout) => {
      for (const component of components) {
        const byText = failures.get(componentId(component)) ?? new Map<string, Set<string>>();
        failures.set(componentId(component), byText);
        const text = componentText(component);
        byText.set(text, (byText.get(text) ?? new Set()).add(lessonFor(component)(rollout)));
      }
    },
    failedOn: (component) => {
      const unsuccessful = failures.get(componentId(component))?.get(componentText(component));
      if (unsuccessful === undefined) return () => false;
      const lessonIn = lessonFor(component);
      return (rollout) => unsuccessful.has(lessonIn(rollout));
    },
    forgive: () => {
      failures.clear();
    },
  };
}
