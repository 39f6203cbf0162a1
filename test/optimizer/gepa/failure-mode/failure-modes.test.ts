import { expect, it } from "vitest";
import { failureModes } from "../../../../src/optimizer/gepa/failure-mode/failure-modes.ts";
import { shownModes } from "../../../../src/optimizer/gepa/failure-mode/shown-modes.ts";
import { rolloutOf } from "../support/rollouts.ts";

const late = { name: "Late", description: "It comes too late." };
const wrong = { name: "Wrong", description: "It is wrong." };
const [a, b, c, d] = ["a", "b", "c", "d"].map((id) =>
  rolloutOf(id, { feedback: `Said of ${id}.` }),
);
const all = [a, b, c, d].filter((one) => one !== undefined);

function named(modes: readonly (string | null)[]): ReturnType<typeof failureModes> {
  const held = failureModes(2);
  held.add({
    calls: 1,
    modes: [late, wrong],
    failures: all.slice(0, modes.length).map((rollout, place) => ({
      rollout,
      mode: modes[place] ?? null,
    })),
  });
  return held;
}

it("knows the mode of what the judge sorted, and that it has seen what it left out", () => {
  const held = named(["Late", null, "Wrong"]);
  expect(all.map(held.modeOf)).toEqual([late, null, wrong, null]);
  expect(all.map(held.wasShown)).toEqual([true, true, true, false]);
  expect(held.calls).toBe(1);
});

it("takes an example for new once other things are said of it", () => {
  const held = named(["Late"]);
  expect(held.modeOf(rolloutOf("a", { feedback: "Now this." }))).toBeNull();
});

it("puts other examples into the mode of most failures with the same feedback", () => {
  const held = failureModes(2);
  const same = (id: string) => rolloutOf(id, { feedback: { first: "Be there." } });
  held.add({
    calls: 2,
    modes: [late, wrong],
    failures: [
      { rollout: same("a"), mode: "Wrong" },
      { rollout: same("b"), mode: "Late" },
      { rollout: same("c"), mode: "Late" },
    ],
  });
  expect(held.modeOf(same("z"))).toEqual(late);
  expect(held.modeOf(same("a"))).toEqual(wrong);
  // Nothing said is nothing in common.
  held.add({ calls: 1, modes: [], failures: [{ rollout: rolloutOf("e"), mode: "Late" }] });
  expect(held.modeOf(rolloutOf("f"))).toBeNull();
  expect(held.calls).toBe(3);
});

it("counts a step's failures by mode, and shows the mode of the first example first", () => {
  const held = named(["Late", "Late", "Wrong", null]);
  const counted = shownModes(held, {
    failures: all,
    shown: [c, a].filter((one) => one !== undefined),
  });
  expect(counted).toEqual([
    { ...wrong, failures: 1, ofFailures: 4, exampleIds: ["c"] },
    { ...late, failures: 2, ofFailures: 4, exampleIds: ["a"] },
  ]);
  // Modes without examples follow, the most frequent first; modes without failures are left out.
  expect(shownModes(held, { failures: all, shown: [] }).map(({ name }) => name)).toEqual([
    "Late",
    "Wrong",
  ]);
  expect(shownModes(held, { failures: all.slice(0, 2), shown: [] })).toHaveLength(1);
});
