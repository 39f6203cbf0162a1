import type { Score } from "espalier";
import { metric, notApplicable, scored } from "espalier/metric";
import { expect, test } from "vitest";
import { blanked, feedbackOf, shuffled } from "./support/placebo-feedback.ts";
import { feedbackRows } from "./support/placebo-searches.ts";

const examples = ["a", "b", "c", "d", "none"].map((id) => ({ id, input: {}, labels: {} }));

const honest = metric({
  name: "honest",
  version: "1",
  score: ({ example: { id } }) =>
    id === "none"
      ? notApplicable("nothing to find")
      : scored(id.charCodeAt(0), `about ${id}`, [{ path: "answer", text: `blame of ${id}` }], {
          other: 1,
        }),
});

const trace = { path: "", children: [] } as never;

async function scoresBy(judge: typeof honest): Promise<readonly Score[]> {
  const scores = [];
  for (const example of examples) scores.push(await judge.doScore({ example, output: {}, trace }));
  return scores;
}

/** All but the words, which is what a placebo must leave alone. */
function withoutWords(scores: readonly Score[]): readonly object[] {
  return scores.map((score) => ({ ...score, feedback: null, blame: null }));
}

test("blanked feedback leaves values and objectives, and no word", async () => {
  const [before, after] = [await scoresBy(honest), await scoresBy(blanked(honest))];
  expect(withoutWords(after)).toEqual(withoutWords(before));
  expect(JSON.stringify(after)).not.toMatch(/about|blame of/);
});

test("shuffled feedback gives each example the words of another, all of them once", async () => {
  const before = await scoresBy(honest);
  const said = feedbackOf(examples, before);
  expect([...said.keys()]).toEqual(["a", "b", "c", "d"]);
  for (const seed of [0, 1, 2, 3, 4]) {
    const after = await scoresBy(shuffled(honest, said, seed));
    expect(withoutWords(after)).toEqual(withoutWords(before));
    const words = after.flatMap((score) => (score.kind === "scored" ? [score.feedback] : []));
    expect(words.toSorted()).toEqual(["about a", "about b", "about c", "about d"]);
    expect(words.some((text, index) => text === `about ${examples[index]?.id}`)).toBe(false);
    const blamed = after.map((score) => (score.kind === "scored" ? score.blame?.[0]?.text : ""));
    expect(blamed.map((text) => text?.replace("blame of", "about"))).toEqual([...words, ""]);
  }
});

test("an example that no feedback was kept for is judged without a word", async () => {
  const [first] = await scoresBy(shuffled(honest, new Map(), 0));
  expect(first).toMatchObject({ kind: "scored", value: 97 });
  expect(first).not.toHaveProperty("feedback");
});

test("miproV2() gains from feedback alone", async () => {
  const [real, ...placebos] = await feedbackRows(0);
  expect(real?.interval?.low).toBeGreaterThan(0.3);
  expect(placebos.map(({ feedback, difference }) => [feedback, difference])).toEqual([
    ["blanked", 0],
    ["shuffled", 0],
  ]);
});
