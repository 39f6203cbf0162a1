import { componentText } from "../../candidate/component-text.ts";
import { predictorOf } from "../../candidate/predictor-of.ts";
import type { Component } from "../../../contract/index.ts";
import type { Rollout } from "../../evaluation/index.ts";
import { componentId, withChanges } from "../../../internal/index.ts";
import type { ProposalTask } from "../strategy/strategy.ts";
import type { MinibatchView } from "../strategy/views.ts";

/**
 * What a search would show if the children of these tasks had been refused: the lessons that they
 * address have failed on the texts that they change, and the component after theirs is next.
 * Nothing can be forgiven, since none of this has happened yet.
 */
export function afterRefusals(view: MinibatchView, tasks: readonly ProposalTask[]): MinibatchView {
  const { lessons } = view;
  const failed = new Map<string, Set<string>>();
  const pointers = new Map<number, number>();
  const lessonFor = (component: Component): ((rollout: Rollout) => string) => {
    const saidIn = lessons.saidOf(predictorOf(component));
    return (rollout) => saidIn(rollout) || rollout.exampleId;
  };
  for (const { parent: id, minibatch } of tasks) {
    const parent = view.candidates[id];
    if (minibatch?.kind !== "known" || parent === undefined) continue;
    const { components, rollouts } = minibatch;
    for (const component of components) {
      const lessonIn = lessonFor(component);
      const before = failed.get(keyOf(component)) ?? new Set();
      failed.set(keyOf(component), before.union(new Set(rollouts.slice(0, 1).map(lessonIn))));
    }
    const ids = view.componentsOf(parent).map(componentId);
    for (const first of components.slice(0, 1)) {
      pointers.set(id, (ids.indexOf(componentId(first)) + 1) % ids.length);
    }
  }
  return withChanges(view, {
    pointerOf: (candidate) => pointers.get(candidate) ?? view.pointerOf(candidate),
    lessons: {
      ...lessons,
      failedOn: (component) => {
        const hasFailed = lessons.failedOn(component);
        const unsuccessful = failed.get(keyOf(component));
        if (unsuccessful === undefined) return hasFailed;
        const lessonIn = lessonFor(component);
        return (rollout) => hasFailed(rollout) || unsuccessful.has(lessonIn(rollout));
      },
      forgiven: () => null,
    },
  });
}

function keyOf(component: Component): string {
  return `${componentId(component)}\n${componentText(component)}`;
}
