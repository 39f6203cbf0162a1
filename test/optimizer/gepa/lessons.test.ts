import { describe, expect, it } from "vitest";
import { lessons } from "../../../src/optimizer/gepa/evidence/lessons.ts";
import { rolloutOf, textOf } from "./support/rollouts.ts";
import { candidateOf } from "./support/search-view.ts";

const first = textOf("first");
const second = textOf("second");

describe("lessons", () => {
  it("of a child are its parent's until it has its own", () => {
    const held = lessons();
    held.add(0, [rolloutOf("a", { feedback: "A." }), rolloutOf("b", { feedback: "B." })]);
    held.inherit(candidateOf(1, {}), { exampleIds: ["a"], components: [first] });
    const own = rolloutOf("a", { feedback: "Still A.", score: 0.5 });
    held.add(1, [own]);
    expect([...held.of(1).keys()]).toEqual(["a", "b"]);
    expect(held.of(1).get("a")).toMatchObject({ rollout: own, actedOn: new Set() });
    // The parent's are as they were.
    expect(held.of(0).get("a")?.rollout.score).toEqual({ kind: "scored", value: 0 });
  });

  it("of a merged child are those of both parents, the first one's where both have one", () => {
    const held = lessons();
    held.add(0, [rolloutOf("a", { score: 0.1 })]);
    held.add(1, [rolloutOf("a", { score: 0.2 }), rolloutOf("b", { score: 0.2 })]);
    const child = candidateOf(2, {}, { parents: [0, 1] });
    held.inherit(child, { exampleIds: [], components: [] });
    const scores = [...held.of(2)].map(([id, { rollout }]) => [id, rollout.score]);
    expect(scores).toEqual([
      ["a", { kind: "scored", value: 0.1 }],
      ["b", { kind: "scored", value: 0.2 }],
    ]);
  });

  it("that say the same as the one acted on are acted on, for this component alone", () => {
    const held = lessons();
    held.add(0, [
      rolloutOf("a", {
        ran: ["first", "second"],
        feedback: { first: "Be brief.", second: "Cite." },
      }),
      rolloutOf("b", { ran: ["first", "second"], feedback: { first: "Be brief." } }),
      rolloutOf("c", {
        ran: ["first", "second"],
        feedback: { first: "Be kind.", second: "Cite." },
      }),
      rolloutOf("d", { ran: ["second"], feedback: { second: "Be brief." } }),
    ]);
    held.inherit(candidateOf(1, {}), { exampleIds: ["a"], components: [first] });
    held.inherit(candidateOf(2, {}, { parents: [1] }), { exampleIds: ["c"], components: [second] });
    const actedOn = (candidate: number): object =>
      Object.fromEntries(
        [...held.of(candidate)].map(([id, { actedOn }]) => [id, [...actedOn].toSorted()]),
      );
    expect(actedOn(0)).toEqual({ a: [], b: [], c: [], d: [] });
    expect(actedOn(1)).toEqual({
      a: ["instruction:first"],
      b: ["instruction:first"],
      c: [],
      d: [],
    });
    expect(actedOn(2)).toEqual({
      a: ["instruction:first", "instruction:second"],
      b: ["instruction:first"],
      c: ["instruction:second"],
      d: [],
    });
  });

  it("without a word are each a lesson of its own, and touch no other", () => {
    const held = lessons();
    held.add(0, [
      rolloutOf("a", { feedback: "" }),
      rolloutOf("b", { feedback: "" }),
      rolloutOf("c", { ran: ["second"], feedback: { second: "Cite." } }),
      rolloutOf("d"),
    ]);
    held.inherit(candidateOf(1, {}), { exampleIds: ["a"], components: [first] });
    const acted = [...held.of(1)].filter(([, { actedOn }]) => actedOn.size > 0);
    expect(acted.map(([id]) => id)).toEqual(["a"]);
    held.fail([first], rolloutOf("a", { feedback: "" }));
    expect(held.failedOn(first)(rolloutOf("a", { feedback: "" }))).toBe(true);
    expect(held.failedOn(first)(rolloutOf("b", { feedback: "" }))).toBe(false);
  });
});

describe("a run that ended in a fault", () => {
  const fault = rolloutOf("a", { score: null, feedback: "No server." });

  it("teaches nothing and hides no older lesson, so that its example can be run again", () => {
    const held = lessons();
    held.add(0, [fault]);
    expect(held.of(0).has("a")).toBe(false);
    const own = rolloutOf("b", { feedback: "B." });
    held.add(0, [own]);
    held.add(0, [rolloutOf("b", { score: null })]);
    expect(held.of(0).get("b")?.rollout).toBe(own);
  });

  it("a second time is known to this candidate, and not to its children", () => {
    const held = lessons();
    held.add(0, [fault]);
    held.add(0, [fault]);
    expect(held.of(0).get("a")?.rollout).toBe(fault);
    held.inherit(candidateOf(1, {}), { exampleIds: [], components: [] });
    expect(held.of(1).has("a")).toBe(false);
  });
});

describe("what failed", () => {
  it("is the feedback on the very text, wherever it is said", () => {
    const held = lessons();
    held.fail([first], rolloutOf("a", { feedback: { first: "Be brief." } }));
    const again = rolloutOf("b", { score: 0.5, feedback: { first: "Be brief." } });
    expect(held.failedOn(first)(again)).toBe(true);
    expect(held.failedOn(textOf("first", "Other."))(again)).toBe(false);
    expect(held.failedOn(second)(again)).toBe(false);
    expect(held.failedOn(first)(rolloutOf("b", { feedback: { first: "Be kind." } }))).toBe(false);
  });

  it("is forgiven as often as asked", () => {
    const held = lessons();
    const said = rolloutOf("a", { feedback: "Be brief." });
    for (let more = 0; more < 12; more++) {
      held.fail([first], said);
      expect(held.failedOn(first)(said)).toBe(true);
      held.forgive();
      expect(held.failedOn(first)(said)).toBe(false);
    }
  });
});

describe("what is said", () => {
  it("of a predictor is the word on the whole and that on it; null where nothing is about it", () => {
    const { saidOf } = lessons();
    expect(saidOf("first")(rolloutOf("a", { feedback: "Be brief." }))).toBe("Be brief.");
    const blamed = rolloutOf("a", { ran: ["first", "second"], feedback: { second: "Cite." } });
    expect(saidOf("second")(blamed)).toContain("Cite.");
    expect(saidOf("first")(blamed)).toBeNull();
    expect(saidOf("second")(rolloutOf("a", { feedback: "Be brief." }))).toBeNull();
    expect(saidOf("first")(rolloutOf("a"))).toBeNull();
  });
});
