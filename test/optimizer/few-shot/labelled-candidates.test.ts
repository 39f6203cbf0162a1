import { labelledCandidates } from "espalier/optimizer";
import { expect, test } from "vitest";
import shipped from "../../../optimizers/question-types.ts";

const study = await shipped();
const { splits } = study.trainset;

function candidatesOf(labels: number, seed = 0) {
  const trainset = {
    ...study.trainset,
    splits: { ...splits, train: splits.train.slice(0, labels) },
  };
  return labelledCandidates({ ...study, trainset }, { seed }).map(({ name, components }) => {
    const demos = components.find(({ kind }) => kind === "demos");
    return { name, demos: demos?.kind === "demos" ? demos : undefined };
  });
}

test.each([
  [0, []],
  [3, ["3 labels"]],
  [4, ["4 labels"]],
  [8, ["4 labels", "8 labels"]],
  [9, ["4 labels", "9 labels", "nearest 8 of 9 labels"]],
  [60, ["4 labels", "16 labels", "nearest 8 of 60 labels"]],
])("%d labelled rows make the candidates %j", (labels, names) => {
  expect(candidatesOf(labels).map(({ name }) => name)).toEqual(names);
});

test("each shows what its name says, drawn by the seed", () => {
  const [four, , near] = candidatesOf(60);
  expect(four?.demos?.value).toHaveLength(4);
  expect(near?.demos).toMatchObject({ nearest: { k: 8, by: "words" } });
  expect(near?.demos?.value).toHaveLength(60);
  expect(candidatesOf(60)).toEqual(candidatesOf(60));
  expect(candidatesOf(60, 1)[0]).not.toEqual(four);
});

test("a program whose predictors cannot write the labels has none", () => {
  const rows = splits.train.map((row) => ({ ...row, labels: { type: "thing" as "person" } }));
  const trainset = { ...study.trainset, splits: { ...splits, train: rows } };
  expect(labelledCandidates({ ...study, trainset }, { seed: 0 })).toEqual([]);
});
