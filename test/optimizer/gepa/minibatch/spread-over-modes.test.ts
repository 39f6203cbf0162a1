import { expect, it } from "vitest";
import { failureModes } from "../../../../src/optimizer/gepa/failure-mode/failure-modes.ts";
import { lessons } from "../../../../src/optimizer/gepa/lesson/lessons.ts";
import { lessonMinibatch } from "../../../../src/optimizer/gepa/minibatch/lesson-minibatch.ts";
import { jointComponents } from "../../../../src/optimizer/gepa/component/joint-components.ts";
import { rolloutOf, textOf } from "../support/rollouts.ts";
import { candidateOf, searchView } from "../support/search-view.ts";

const seed = candidateOf(0, { v: 0 }, { components: [textOf("first")] });

/** The ids that a minibatch shows, where ids begin with the letter of their mode, or with `-`. */
function shownOf(
  ids: readonly string[],
  { examples = 2, most = 8, tokens = 6_000, said = (id: string) => `Said of ${id}.` } = {},
): readonly string[] {
  const held = lessons();
  const rollouts = ids.map((id) => rolloutOf(id, { feedback: said(id) }));
  held.add(0, rollouts);
  const modes = failureModes(examples);
  const letters = [...new Set(ids.map((id) => id.slice(0, 1)))].filter((one) => one !== "-");
  modes.add({
    calls: 1,
    modes: letters.map((name) => ({ name, description: name })),
    failures: rollouts.map((rollout) => ({ rollout, mode: rollout.exampleId.slice(0, 1) })),
  });
  const view = searchView({ candidates: [seed], lessons: held, failureModes: modes });
  const room = { least: 3, most, tokens };
  const minibatch = lessonMinibatch(view, seed, { place: 0, room, selection: jointComponents() });
  return minibatch?.exampleIds ?? [];
}

function numbered(letter: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, number) => `${letter}${number}`);
}

function lettersOf(ids: readonly string[]): string {
  return ids.map((id) => id.slice(0, 1)).join("");
}

it("shows two lessons of each failure mode, the largest mode first, in turn", () => {
  const ids = [...numbered("a", 2), ...numbered("b", 9), ...numbered("c", 4)];
  expect(lettersOf(shownOf(ids))).toBe("bcabca");
  expect(lettersOf(shownOf(ids, { examples: 1 }))).toBe("bca");
});

it("shows more than eight lessons where there are so many modes, as far as tokens allow", () => {
  const ids = ["a", "b", "c", "d", "e"].flatMap((letter) => numbered(letter, 3));
  expect(shownOf(ids)).toHaveLength(10);
  expect(shownOf(ids, { tokens: 60 }).length).toBeLessThan(8);
  expect(new Set(lettersOf(shownOf(ids, { tokens: 60 })))).toEqual(
    new Set(lettersOf(shownOf(ids)).slice(0, shownOf(ids, { tokens: 60 }).length)),
  );
});

it("shows three lessons where the modes have no more than one", () => {
  expect(shownOf(numbered("a", 9))).toHaveLength(3);
});

it("shows those of no mode last in each turn, and as many as fit", () => {
  const ids = [...numbered("-", 9), ...numbered("a", 3)];
  expect(lettersOf(shownOf(ids))).toBe("a-a-----");
});

it("prefers feedback of its own within a mode, but shows repeated feedback rather than none", () => {
  const ids = [...numbered("a", 6), ...numbered("b", 2)];
  const said = (id: string): string => (id < "a4" || id.startsWith("b") ? "Same." : `Of ${id}.`);
  const shown = shownOf(ids, { said });
  expect(lettersOf(shown)).toBe("abab");
  expect(new Set(shown.filter((id) => id.startsWith("a")).map(said)).size).toBe(2);
});
