import { componentText } from "../../candidate/component-text.ts";
import type { Component } from "../../../contract/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { componentId } from "../../candidate/candidate-record.ts";
import type { Rollout } from "../../evaluation/index.ts";
import { predictorOf } from "../../candidate/predictor-of.ts";
import { feedbackOn, teaches } from "./reflective-cases.ts";

/** What one training example taught, as a candidate knows it. */
export interface Lesson {
  /** The candidate's own, or an ancestor's: what was said of it then may still hold. */
  readonly rollout: Rollout;
  /** Components that have been changed by it since. */
  readonly actedOn: ReadonlySet<string>;
}

/**
 * What training examples taught each candidate. A child knows its parent's lessons, so that an
 * example need not be run again for what has not been acted on yet.
 */
export interface Lessons {
  /**
   * What rollouts say of a predictor, without the score; `null` when one teaches nothing of it: it
   * did not run, or what was said is of others alone.
   */
  readonly saidOf: (predictor: string) => (rollout: Rollout) => string | null;
  /** By example id. */
  readonly of: (candidate: number) => ReadonlyMap<string, Lesson>;
  /**
   * What a candidate's own rollouts teach, if anything, in place of older lessons. A fault teaches
   * nothing; an example that ends in one a second time counts as known to this candidate, so that
   * it is not run on and on.
   */
  readonly add: (candidate: number, rollouts: readonly Rollout[]) => void;
  /** A new candidate, which acted on lessons, and on all that say the same. */
  readonly inherit: (
    child: CandidateRecord,
    acted: { readonly exampleIds: readonly string[]; readonly components: readonly Component[] },
  ) => void;
  /** Notes that changing these texts by what was said in a rollout came to nothing. */
  readonly fail: (components: readonly Component[], rollout: Rollout) => void;
  /**
   * Whether changing this text by what is said in a rollout, or by the same said elsewhere, did.
   */
  readonly failedOn: (component: Component) => (rollout: Rollout) => boolean;
  /**
   * Forgets failures, which may have been the reflection LM's, up to three times until a candidate
   * is added. Says whether there were any.
   */
  readonly forgive: () => boolean;
}

/** What strategies see of lessons. */
export type KnownLessons = Omit<Lessons, "add" | "inherit" | "fail">;

const mostForgiven = 3;

export function lessons(): Lessons {
  const byCandidate = new Map<number, Map<string, Lesson>>();
  // By component, then by its text: what was said in vain.
  const failures = new Map<string, Map<string, Set<string>>>();
  let forgiven = 0;
  const none = new Set<string>();
  const heard = new Map<string, WeakMap<Rollout, { readonly said: string | null }>>();
  const saidOf: Lessons["saidOf"] = (predictor) => {
    const ofPredictor = heard.get(predictor) ?? new WeakMap<Rollout, { said: string | null }>();
    heard.set(predictor, ofPredictor);
    return (rollout) => {
      const before = ofPredictor.get(rollout);
      if (before !== undefined) return before.said;
      const said = teaches(rollout, predictor) ? feedbackOn(rollout, predictor) : null;
      ofPredictor.set(rollout, { said });
      return said;
    };
  };
  /** Where nothing was said, each example is a lesson of its own. */
  const lessonFor = (component: Component): ((rollout: Rollout) => string) => {
    const said = saidOf(predictorOf(component));
    return (rollout) => said(rollout) || rollout.exampleId;
  };
  /** Notes that a component was changed by these examples, and so by all that say the same. */
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
  const faults = new Map<number, Set<string>>();
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
      forgiven = 0;
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
      const inVain = failures.get(componentId(component))?.get(componentText(component));
      if (inVain === undefined) return () => false;
      const lessonIn = lessonFor(component);
      return (rollout) => inVain.has(lessonIn(rollout));
    },
    forgive: () => {
      if (forgiven === mostForgiven || failures.size === 0) return false;
      forgiven++;
      failures.clear();
      return true;
    },
  };
}
