import { describe, expect, it } from "vitest";
import type { ComponentRequest, ComponentSelection, OptimizerEvent } from "espalier/optimizer";
import { jointComponents, optimizeTexts, roundRobin } from "espalier/optimizer";
import {
  allComponents,
  epochMinibatches,
  strictRoundRobin,
} from "../../conformance/reference/index.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";
import { rolloutOf, textOf } from "./support/rollouts.ts";
import { candidateOf, searchView } from "./support/search-view.ts";
import { gepaWith } from "../support/gepa-with.ts";

const names = ["first", "second", "third"];
const components = names.map((name) => textOf(name));

describe("behaviour 12: roundRobin", () => {
  it("goes on from the pointer, around the end", () => {
    const chosen = [0, 1, 2].map((pointer) => shown(roundRobin(), { pointer }));
    expect(chosen).toEqual(["first -> 1", "second -> 2", "third -> 0"]);
  });

  it("passes over components that did not run, which the one of gepa does not", () => {
    const isInvoked: ComponentRequest["isInvoked"] = ({ path }) => path === "third";
    expect(shown(roundRobin(), { pointer: 1, isInvoked })).toBe("third -> 0");
    expect(shown(strictRoundRobin(), { pointer: 1, isInvoked })).toBe("second -> 2");
  });

  it("chooses nothing, and leaves the pointer, where nothing ran", () => {
    expect(shown(roundRobin(), { pointer: 2, isInvoked: () => false })).toBe(" -> 2");
  });

  it("keeps a pointer for each candidate, which children inherit and failures advance", async () => {
    const { asked, modelled } = await followPointers({});
    expect(asked.length).toBeGreaterThan(10);
    expect(asked).toEqual(modelled);
    // Without scoreReuse, or without advancing on failures, the run would have gone otherwise.
    const variants = [{ inherits: false }, { advancesOnFailure: false }];
    for (const variant of variants) {
      expect((await followPointers(variant)).modelled).not.toEqual(asked);
    }
  });
});

describe("allComponents", () => {
  it("chooses every component that ran, and leaves the pointer", () => {
    expect(shown(allComponents(), { pointer: 1 })).toBe("first,second,third -> 1");
    const isInvoked: ComponentRequest["isInvoked"] = ({ path }) => path !== "second";
    expect(shown(allComponents(), { pointer: 1, isInvoked })).toBe("first,third -> 1");
  });
});

describe("jointComponents", () => {
  const rollouts = [
    rolloutOf("a", { ran: ["first", "second"] }),
    rolloutOf("b", { ran: ["first", "second"] }),
    rolloutOf("c", { ran: ["first", "third"] }),
    rolloutOf("d", { ran: ["second", "third"] }),
  ];

  it("adds to the one in turn those that ran in more than half of its runs", () => {
    // `first` ran three times, `second` in two of these, `third` in one.
    expect(shown(jointComponents(), { pointer: 0, rollouts })).toBe("first,second -> 1");
    // `second`: with `first` in two of three, with `third` in one.
    expect(shown(jointComponents(), { pointer: 1, rollouts })).toBe("second,first -> 2");
    // `third`: with each of the others in one of two, which is no more than half.
    expect(shown(jointComponents(), { pointer: 2, rollouts })).toBe("third -> 0");
  });

  it("adds none of which reflection would see nothing", () => {
    const isInvoked: ComponentRequest["isInvoked"] = ({ path }) => path !== "second";
    expect(shown(jointComponents(), { pointer: 0, rollouts, isInvoked })).toBe("first -> 1");
    const never = { pointer: 0, rollouts, isInvoked: () => false };
    expect(shown(jointComponents(), never)).toBe(" -> 0");
  });
});

function shown(
  selection: ComponentSelection,
  request: Partial<ComponentRequest> & { readonly pointer: number },
): string {
  const parent = candidateOf(0, { v: 0 }, { components });
  const chosen = selection.select(searchView({ candidates: [parent] }), {
    parent,
    rollouts: [],
    components,
    isInvoked: () => true,
    ...request,
  });
  return `${chosen.components.map(({ path }) => path).join()} -> ${chosen.pointer}`;
}

/**
 * The pointers that a run asked with, and those that a model of them says from its events alone.
 */
async function followPointers({
  inherits = true,
  advancesOnFailure = true,
}: {
  readonly inherits?: boolean;
  readonly advancesOnFailure?: boolean;
}): Promise<{ readonly asked: readonly number[]; readonly modelled: readonly number[] }> {
  const inTurn = roundRobin();
  const asked: number[] = [];
  const modelled: number[] = [];
  const pointers: number[] = [0];
  let held: { parent: number; before: number } | undefined;
  const noting: ComponentSelection = {
    ...inTurn,
    select: (view, request) => {
      const { parent, pointer } = request;
      asked.push(pointer);
      const before = pointers[parent.id] ?? 0;
      modelled.push(before);
      const next = inTurn.select(view, { ...request, pointer: before });
      held = { parent: parent.id, before };
      pointers[parent.id] = next.pointer;
      return inTurn.select(view, request);
    },
  };
  const onEvent = (event: { readonly kind: string } & Partial<OptimizerEvent>): void => {
    if (event.kind === "candidate-refused" && !advancesOnFailure && held !== undefined) {
      pointers[held.parent] = held.before;
    }
    if (event.kind !== "candidate-accepted" || event.candidate === 0) return;
    const parent = (event as { parents: readonly number[] }).parents[0] ?? 0;
    pointers[event.candidate as number] = inherits ? (pointers[parent] ?? 0) : 0;
  };
  const { task } = keywordTask({ seed: 4, train: 9 });
  await optimizeTexts(task, {
    optimizer: gepaWith({
      component: noting,
      minibatch: epochMinibatches({ size: 3 }),
      proposer: directedProposer(),
    }),
    budget: { metricCalls: 250 },
    onEvent: (event) => onEvent(event as Parameters<typeof onEvent>[0]),
  });
  return { asked, modelled };
}
