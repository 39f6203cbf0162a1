import { expect, it } from "vitest";
import { customProposer, optimizeTexts } from "espalier/optimizer";
import { programSpace } from "../../../../src/optimizer/task/program-space.ts";
import { ownLabels } from "../../../../src/optimizer/proposal/check/proposal-check.ts";
import { gepaWith } from "../../support/gepa-with.ts";
import { placeStudy } from "../../support/place-search.ts";

it("holds the texts of an example's labels that no other example of train has", () => {
  const labels: Record<string, unknown> = {
    a: { answers: ["Jakob Brown", "J. Brown"], kind: "bug report", count: 3 },
    b: { answers: ["Old  Gertrude"], kind: "bug report", relevant: { p1: 1 } },
    c: null,
  };
  const of = ownLabels({ train: ["a", "b", "c"], labelsOf: (id) => labels[id] });
  expect(of("a")).toEqual(["Jakob Brown", "J. Brown"]);
  expect(of("b")).toEqual(["Old Gertrude"]);
  expect(of("c")).toEqual([]);
  expect(ownLabels({ train: ["a"] })("a")).toEqual([]);
});

it("reads a program's labels, of train alone", () => {
  const { train, val, labelsOf } = programSpace(placeStudy);
  const { splits } = placeStudy.trainset;
  expect(labelsOf?.(train[0] ?? "")).toEqual(splits.train[0]?.labels);
  const onlyVal = val.filter((id) => !train.includes(id));
  expect(onlyVal.map((id) => labelsOf?.(id))).toEqual(onlyVal.map(() => undefined));
});

it("keeps a search from learning an answer that feedback names", async () => {
  const gold = ["Jakob Brown", "Mary Stone", "Ada Quist"];
  const examples = Object.fromEntries(gold.map((answer, index) => [`t${index}`, { answer }]));
  const texts = ["Answer Jakob Brown, Mary Stone or Ada Quist.", "Answer with a name."];
  let asked = 0;
  const result = await optimizeTexts(
    {
      name: "names",
      version: "1",
      texts: { answer: "Answer." },
      train: examples,
      val: examples,
      evaluate: (held, example) => ({
        score: held["answer"] === "Answer." ? 0 : 1,
        feedback: `Wrong: the answer was ${example.answer}. Answer with a name.`,
        inputs: { question: "Who is it?" },
      }),
    },
    {
      optimizer: gepaWith({ proposer: customProposer("names", () => texts[asked++] ?? "") }),
      budget: { metricCalls: 60, reflectionCalls: 2 },
    },
  );
  expect(result.rejections.map(({ reason }) => reason)).toEqual(["copies-examples"]);
  expect(result.texts).toEqual({ answer: "Answer with a name." });
});
