import { describe, expect, it } from "vitest";
import type { CandidateRecord, Lessons, Minibatch, Rollout } from "espalier/optimizer";
import { optimizeTexts, roundRobin, targetedLessons } from "espalier/optimizer";
import { lessons } from "../../../src/optimizer/gepa/evidence/lessons.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";
import { rolloutOf, textOf } from "./support/rollouts.ts";
import type { ViewParts } from "./support/search-view.ts";
import { candidateOf, searchView } from "./support/search-view.ts";
import { gepaWith } from "../support/gepa-with.ts";

const components = [textOf("first"), textOf("second")];
const seed = candidateOf(0, { v: 0 }, { components });
const child = candidateOf(1, { v: 0.5 }, { components });

describe("before the first proposal", () => {
  const train = Array.from({ length: 40 }, (_, index) => `t${index}`);
  // One in four examples runs `second`.
  const run = (id: string): Rollout => {
    const name = Number(id.slice(1)) % 4 === 0 ? "second" : "first";
    return rolloutOf(id, { ran: [name], feedback: "Better." });
  };
  const fill = (initial: number): readonly string[][] => {
    const held = lessons();
    const explored: string[][] = [];
    for (;;) {
      const next = nextOf(held, { train, initial, candidates: [seed] });
      if (next?.kind !== "explore") return explored;
      explored.push([...next.exampleIds]);
      held.add(0, next.exampleIds.map(run));
    }
  };

  it("the seed is run until each component ran so often, on no example twice", () => {
    const explored = fill(3);
    const ids = explored.flat();
    const ofSecond = ids.filter((id) => run(id).ran.includes("second")).length;
    expect(new Set(ids).size).toBe(ids.length);
    expect(ofSecond).toBeGreaterThanOrEqual(3);
    // One group less would not have been enough.
    const before = explored.slice(0, -1).flat();
    expect(before.filter((id) => run(id).ran.includes("second")).length).toBeLessThan(3);
    expect(explored.every(({ length }) => length === 3)).toBe(true);
  });

  it("the seed is run on all of train where a component does not run so often there", () => {
    expect(fill(12).flat().toSorted()).toEqual(train.toSorted());
  });

  it("the seed is run for no more than a fifth of the metric calls left, and leaves room for a child", () => {
    const next = (left: number, held = lessons()): Minibatch | null =>
      nextOf(held, {
        train,
        initial: 10,
        candidates: [seed],
        rolloutsLeft: left,
        neededOnVal: ([component]) => (component?.path === "first" ? 9 : 5),
      });
    expect(next(1_000)?.exampleIds).toHaveLength(10);
    expect(next(50)?.exampleIds).toHaveLength(10);
    expect(next(49)?.exampleIds).toHaveLength(9);
    // With room for either child if there can be, else for the cheaper one.
    expect(next(10)?.exampleIds).toHaveLength(1);
    expect(next(9)?.exampleIds).toHaveLength(1);
    expect(next(6)?.exampleIds).toHaveLength(1);
    // What was run already counts: eight of 48 + 8 leave three.
    const held = lessons();
    held.add(0, train.slice(0, 8).map(run));
    expect(next(48, held)?.exampleIds).toHaveLength(3);
    // The share is used up; a lesson is known.
    held.add(0, train.slice(8, 11).map(run));
    expect(next(45, held)?.kind).toBe("known");
  });

  it("is over once there is a child", () => {
    const held = lessons();
    held.add(0, [rolloutOf("t0", { feedback: "Better." })]);
    const next = nextOf(held, { train, initial: 12, candidates: [seed, child] });
    expect(next).toMatchObject({ kind: "known", exampleIds: ["t0"] });
  });
});

describe("targetedLessons", () => {
  it("shows one example of each distinct feedback", () => {
    const held = lessons();
    const said = ["A.", "B.", "A.", "C.", "B.", "A."];
    held.add(
      0,
      said.map((feedback, index) => rolloutOf(`t${index}`, { feedback })),
    );
    const shown = new Set<string>();
    for (let iteration = 1; iteration < 40; iteration++) {
      const next = known(nextOf(held, { iteration }));
      const feedback = next.rollouts.map(({ lesson }) => lesson?.feedback);
      expect(feedback.toSorted()).toEqual(["A.", "B.", "C."]);
      expect(next.rollouts.map(({ exampleId }) => exampleId)).toEqual(next.exampleIds);
      for (const id of next.exampleIds) shown.add(id);
      expect(known(nextOf(held, { iteration, size: 2 })).exampleIds).toHaveLength(2);
    }
    expect(shown.size).toBe(6);
  });

  it("shows examples of which nothing was said each for itself", () => {
    const held = lessons();
    held.add(0, [rolloutOf("t0", { feedback: "" }), rolloutOf("t1", { feedback: "" })]);
    expect(known(nextOf(held)).exampleIds.toSorted()).toEqual(["t0", "t1"]);
  });

  it("shows nothing of perfect, unscored and silent runs, unless no score is perfect", () => {
    const held = lessons();
    held.add(0, [
      rolloutOf("t0", { score: 1, feedback: "Perfect." }),
      rolloutOf("t1", { score: null, feedback: "A fault." }),
      rolloutOf("t2", { score: 0.5 }),
      rolloutOf("t3", { ran: ["third"], feedback: "Not of a component." }),
    ]);
    expect(nextOf(held)).toBeNull();
    expect(known(nextOf(held, { perfectScore: null })).exampleIds).toEqual(["t0"]);
  });

  it("names as what to change the component in turn that has a lesson", () => {
    const held = lessons();
    held.add(0, [
      rolloutOf("t0", { ran: ["first", "second"], feedback: { second: "Cite." } }),
      rolloutOf("t1", { ran: ["first"], score: 1, feedback: "Perfect." }),
    ]);
    expect(pathsOf(nextOf(held, { pointer: 0 }))).toEqual(["second"]);
    held.add(0, [rolloutOf("t1", { ran: ["first"], feedback: "Be brief." })]);
    const inTurn = [0, 1].map((pointer) =>
      pathsOf(nextOf(held, { pointer, selection: roundRobin() })),
    );
    expect(inTurn).toEqual([["first"], ["second"]]);
  });

  it("does not show a child what it has acted on, and its parent still", () => {
    const held = lessons();
    const feedback = { first: "Be brief.", second: "Cite." };
    held.add(0, [rolloutOf("t0", { ran: ["first", "second"], feedback })]);
    held.inherit(child, { exampleIds: ["t0"], components: [components[0]!] });
    const candidates = [seed, child];
    expect(pathsOf(nextOf(held, { candidates, parent: child, train: ["t0"] }))).toEqual(["second"]);
    expect(pathsOf(nextOf(held, { candidates, parent: seed, selection: roundRobin() }))).toEqual([
      "first",
    ]);
  });

  it("passes over what failed, wherever it is said, and tries it again at the very end", () => {
    const held = lessons();
    held.add(0, [
      rolloutOf("t0", { feedback: "A." }),
      rolloutOf("t1", { feedback: "A." }),
      rolloutOf("t2", { feedback: "B." }),
    ]);
    const [a, b] = ["t0", "t2"].map((id) => held.of(0).get(id)?.rollout as Rollout);
    held.fail([components[0]!], a!);
    expect(known(nextOf(held)).exampleIds).toEqual(["t2"]);
    held.fail([components[0]!], b!);
    // First what is not known yet.
    expect(nextOf(held, { train: ["t0", "t1", "t2", "t3"] })).toEqual({
      kind: "explore",
      exampleIds: ["t3"],
    });
    for (let more = 0; more < 20; more++) {
      expect(known(nextOf(held)).exampleIds).toHaveLength(2);
      held.fail([components[0]!], a!);
      held.fail([components[0]!], b!);
    }
  });

  it("explores examples that were not run yet, then those acted on, and no others", () => {
    const train = ["t0", "t1", "t2", "t3", "t4", "t5"];
    const held = lessons();
    held.add(0, [
      rolloutOf("t0", { feedback: "A." }),
      rolloutOf("t1", { feedback: "A." }),
      rolloutOf("t2", { score: 1, feedback: "Perfect." }),
    ]);
    held.inherit(child, { exampleIds: ["t0"], components: [components[0]!] });
    const explored: string[][] = [];
    for (;;) {
      const next = nextOf(held, { candidates: [seed, child], parent: child, train, size: 2 });
      if (next?.kind !== "explore") break;
      explored.push([...next.exampleIds]);
      held.add(
        1,
        next.exampleIds.map((id) => rolloutOf(id, { score: 1, feedback: "Perfect." })),
      );
    }
    const inOrder = [explored.flat().slice(0, 3), explored.flat().slice(3)];
    expect(inOrder.map((ids) => ids.toSorted())).toEqual([
      ["t3", "t4", "t5"],
      ["t0", "t1"],
    ]);
    expect(explored.every(({ length }) => length <= 2)).toBe(true);
  });

  it("passes over a component whose evaluation does not fit the budget", () => {
    const held = lessons();
    held.add(0, [
      rolloutOf("t0", { ran: ["first"], feedback: "A." }),
      rolloutOf("t1", { ran: ["second"], feedback: "B." }),
    ]);
    const costs = (changed: readonly { readonly path: string }[]): number =>
      changed[0]?.path === "first" ? 20 : 5;
    const within = (left: number) => ({
      rolloutsLeft: left,
      neededOnVal: costs,
    });
    expect(pathsOf(nextOf(held, within(20)))).toEqual(["first"]);
    expect(pathsOf(nextOf(held, within(19)))).toEqual(["second"]);
    // A lesson that does not fit tells the engine that the budget has ended.
    expect(nextOf(held, within(4))?.kind).toBe("known");
    expect(nextOf(held, { ...within(4), train: ["t0", "t1", "t2"] })).toEqual({
      kind: "explore",
      exampleIds: ["t2"],
    });
  });

  it("changes with a component those whose change with it fits the budget", () => {
    const held = lessons();
    held.add(0, [rolloutOf("t0", { ran: ["first", "second"], feedback: "A." })]);
    const within = (left: number) => ({
      rolloutsLeft: left,
      neededOnVal: (changed: readonly unknown[]) => 10 * changed.length,
    });
    expect(pathsOf(nextOf(held, within(20)))).toEqual(["first", "second"]);
    expect(pathsOf(nextOf(held, within(19)))).toEqual(["first"]);
  });

  it.each([21, 22, 25, 30, 40])(
    "in a run of %d metric calls leaves room for what it learns from",
    async (metricCalls) => {
      for (const seed of [0, 1, 2, 3]) {
        let proposed = 0;
        const { reason } = await optimizeTexts(keywordTask({ seed }).task, {
          optimizer: gepaWith({ seed, proposer: directedProposer() }),
          budget: { metricCalls },
          onEvent: ({ kind }) => {
            if (kind === "candidate-proposed") proposed++;
          },
        });
        // The seed takes ten, and a child no more than ten.
        expect(proposed).toBeGreaterThan(0);
        expect(reason).toBe("budget");
      }
    },
  );

  it.each([{ size: 0 }, { initial: 0 }, { size: 1.5 }])("refuses %j", async (options) => {
    expect((await thrownBy(() => targetedLessons(options))).code).toBe("option-invalid");
  });
});

interface Given extends Partial<ViewParts> {
  readonly parent?: CandidateRecord;
  readonly size?: number;
  readonly initial?: number;
  readonly selection?: ReturnType<typeof roundRobin>;
}

/** Unless told otherwise, for a seed that has been run often enough. */
function nextOf(held: Lessons, given: Given = {}): Minibatch | null {
  const { parent = seed, size = 3, initial = 1, selection, ...parts } = given;
  const { candidates = [seed, child], train = [] } = parts;
  const sampling = targetedLessons({ size, initial, ...(selection && { components: selection }) });
  const view = searchView({ ...parts, candidates, train, lessons: held });
  return sampling.next(view, parent, 0);
}

function known(minibatch: Minibatch | null): Extract<Minibatch, { readonly kind: "known" }> {
  if (minibatch?.kind !== "known") throw new Error("No lesson was found.");
  return minibatch;
}

function pathsOf(minibatch: Minibatch | null): readonly string[] {
  return known(minibatch).components.map(({ path }) => path);
}
