import { expect, test } from "vitest";
import type { Example } from "../../src/contract/index.ts";
import type { TrainsetDefinition } from "../../src/trainset/index.ts";
import { trainset } from "../../src/trainset/index.ts";

const about = { name: "rivers", version: "1", licence: "Apache-2.0", source: "own writing" };

function example(id: string, cluster?: string): Example<{ question: string }, { answer: string }> {
  return {
    id,
    input: { question: `Which river is ${id}?` },
    labels: { answer: id },
    ...(cluster === undefined ? {} : { cluster }),
  };
}

function splits(): TrainsetDefinition<{ question: string }, { answer: string }>["splits"] {
  return { train: [example("a", "c1"), example("b", "c1")], test: [example("c")] };
}

test("keeps examples in order and fills absent splits", () => {
  const made = trainset({ ...about, splits: splits() });
  expect(made.splits.train.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(made.splits.val).toEqual([]);
});

test("says nothing of a version, a licence and a source that nobody stated", () => {
  const made = trainset({ name: "rivers", licence: undefined, splits: splits() });
  expect(Object.keys(made)).toEqual(["name", "checksum", "splits"]);
  expect(made.checksum).toBe(trainset({ ...about, splits: splits() }).checksum);
});

test("is frozen to the leaves, even where the caller froze only the surface", () => {
  const made = trainset({
    ...about,
    splits: { train: [{ id: "a", input: Object.freeze({ turns: [{ text: "x" }] }), labels: {} }] },
  });
  const turn = made.splits.train[0]?.input.turns[0];
  expect(() => Object.assign(turn ?? {}, { text: "changed" })).toThrow(TypeError);
  expect(() => (made.splits.train as unknown[]).push(1)).toThrow(TypeError);
});

test("has a checksum of ids, inputs, labels, clusters and splits, and of nothing else", () => {
  const checksum = (changed: TrainsetDefinition<object, object>["splits"]) =>
    trainset({ ...about, splits: changed }).checksum;
  const base = checksum(splits());
  expect(base).toMatch(/^[0-9a-f]{64}$/);
  expect(checksum({ ...splits(), val: [] })).toBe(base);
  expect(trainset({ ...about, name: "brooks", splits: splits() }).checksum).toBe(base);

  const { train = [], test: held = [] } = splits();
  const [first, second] = train;
  const changes = [
    { train: [{ ...first!, id: "z" }, second!], test: held },
    { train: [{ ...first!, input: { question: "?" } }, second!], test: held },
    { train: [{ ...first!, labels: { answer: "?" } }, second!], test: held },
    { train: [{ ...first!, cluster: "c2" }, second!], test: held },
    { train, val: held },
  ];
  const changed = changes.map(checksum);
  expect(new Set([base, ...changed]).size).toBe(changes.length + 1);
});

test("refuses ids repeated over all splits and names them", () => {
  const repeated = {
    train: [example("a"), example("b")],
    val: [example("b")],
    test: [example("a")],
  };
  expect(() => trainset({ ...about, splits: repeated })).toThrow(
    "Trainset `rivers` repeats example ids. Expected: ids that are unique over all splits. Got: `b`, `a`.",
  );
});

test("refuses a cluster that spans two splits and names examples of both", () => {
  const spanning = { train: [example("a", "c1")], test: [example("d", "c1"), example("e", "c2")] };
  expect(() => trainset({ ...about, splits: spanning })).toThrow(
    "Got: `c1` (`a` in train, `d` in test).",
  );
});

test("takes an example without a cluster for a cluster of its own", () => {
  const own = { train: [example("a")], test: [example("d", "a")] };
  expect(() => trainset({ ...about, splits: own })).toThrow("`a` (`a` in train, `d` in test)");
});

test("refuses an empty id, a split of another name and what JSON cannot represent", () => {
  expect(() => trainset({ ...about, splits: { train: [example("")] } })).toThrow(
    'Trainset `rivers` has an example without an id (at split `train`). Expected: a non-empty string. Got: "".',
  );
  expect(() => trainset({ ...about, splits: { dev: [] } as never })).toThrow("Got: `dev`.");
  expect(() =>
    trainset({ ...about, splits: { train: [{ id: "a", input: {}, labels: { grade: NaN } }] } }),
  ).toThrow('(at example `a`). Got: JSON cannot represent the number NaN (key "grade").');
});
