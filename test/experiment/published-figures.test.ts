import { expect, test } from "vitest";
import type { Example, Experiment, ExperimentFigure, PublishedFigure } from "espalier";
import { experiment } from "espalier";
import { evaluate } from "espalier/evaluate";
import { experimentTable, tableMarkdown } from "../../src/experiment/index.ts";
import { rehearsalLm } from "@espalier/rehearsal";
import { placeStudy } from "../optimizer/support/place-search.ts";
import { thrownBy } from "../support/thrown-by.ts";

const { program, trainset, objective } = placeStudy;
const own = trainset.name;
const halves = { name: "half", by: () => "all of them" };

function figure(value: number, given: Partial<PublishedFigure> = {}): PublishedFigure {
  return { value, of: `table ${value}`, differs: "model", ...given };
}

const examples = trainset.splits.test.slice(0, 4);

async function tableWith(
  published: readonly PublishedFigure[],
  given: Partial<Pick<Experiment, "figures">> = {},
) {
  const row = { name: "one", study: placeStudy, published };
  const about = { name: "places", title: "Places", source: "tests", ...given };
  const rows = [row, { name: "two", study: placeStudy }];
  const declared = experiment({ ...about, breakdowns: [halves], rows });
  const result = await evaluate({ program, examples, metric: objective, lm: rehearsalLm() });
  const costs = {
    metricCalls: 4,
    lmCalls: 4,
    promptTokens: 4,
    completionTokens: 4,
    billedCalls: 4,
    usd: null,
    seconds: 1,
  };
  const outcome = {
    name: "one",
    study: placeStudy,
    examples,
    lms: {},
    mocks: [],
    costs,
    result,
  };
  const emptied = { ...result, rows: result.rows.map((each) => ({ ...each, output: {} })) };
  const outcomes = [outcome, { ...outcome, name: "two", result: emptied }];
  return experimentTable(declared, outcomes, { seed: 0, resamples: 10 });
}

test("a figure's aggregate combines the values of a row, of a group and of the paired examples", async () => {
  const indexOf = ({ id }: Example) => examples.findIndex((each) => each.id === id);
  const product: ExperimentFigure = {
    name: "product",
    // 1, 2, 3 and 4 in the first row, ten times as much in the second.
    of: ({ example, output }) =>
      (indexOf(example) + 1) * (Object.keys(output as object).length === 0 ? 10 : 1),
    aggregate: (values) => values.reduce((all, value) => all * value, 1),
  };
  const { rows, breakdowns } = await tableWith([], { figures: [product] });
  const shown = rows.map(({ figures }) => figures.find(({ metric }) => metric === "product"));
  expect(shown.map((each) => each?.value)).toEqual([24, 240_000]);
  expect(shown[1]?.difference).toMatchObject({ difference: 240_000 - 24 });
  const grouped = breakdowns[0]?.groups.map(
    ({ figures }) => figures.find(({ metric }) => metric === "product")?.value,
  );
  expect(grouped).toEqual([24, 240_000]);
});

test("a figure of the row's trainset goes before one of any, and one of another is left out", async () => {
  const any = figure(0.1);
  const ofOwn = figure(0.2, { trainset: own });
  const ofOther = figure(0.3, { trainset: "another" });
  const valueIn = async (published: readonly PublishedFigure[]) => {
    const { rows } = await tableWith(published);
    expect(rows[0]?.unmatched).toEqual([]);
    return rows[0]?.figures[0]?.published?.value;
  };
  expect(await valueIn([any, ofOther])).toBe(0.1);
  expect(await valueIn([any, ofOwn, ofOther])).toBe(0.2);
  expect(await valueIn([ofOwn, any])).toBe(0.2);
  expect(await valueIn([ofOther])).toBeUndefined();
});

test("two figures of which neither goes before the other are refused", async () => {
  const named = figure(0.2, { metric: objective.name });
  for (const given of [
    [figure(0.1), named],
    [named, figure(0.1), figure(0.3, { trainset: own })],
  ]) {
    const error = await thrownBy(() => tableWith(given));
    expect(error).toMatchObject({ code: "experiment-invalid" });
    expect(String(error)).toContain("(table 0.2)");
  }
});

test("a figure of a group stands in the breakdown, and nowhere else", async () => {
  const group = { breakdown: "half", name: "all of them" };
  const table = await tableWith([figure(0.7, { group })]);
  expect(table.rows[0]?.figures[0]?.published).toBeUndefined();
  expect(table.rows[0]?.unmatched).toEqual([]);
  expect(table.breakdowns[0]?.groups[0]?.figures[0]?.published?.value).toBe(0.7);
  const markdown = tableMarkdown(table);
  expect(markdown).toContain("| half | row | figure | value | n | published |");
  expect(markdown).toContain("| 0.7 (table 0.7; model) |");
  const plain = tableMarkdown(await tableWith([]));
  expect(plain).toContain("| half | row | figure | value | n |\n");
});

test.each([
  ["two of one metric and trainset", [{ trainset: "a" }, { trainset: "a" }], 'objective on "a"'],
  [
    "two of one group",
    [{ group: { breakdown: "half", name: "x" } }, { group: { breakdown: "half", name: "x" } }],
    'objective in group "x" of "half"',
  ],
  ["an unknown breakdown", [{ group: { breakdown: "third", name: "x" } }], '"third" in row "one"'],
])("%s are refused", async (_what, given, said) => {
  const error = await thrownBy(async () => tableWith(given.map((each) => figure(0.5, each))));
  expect(error).toMatchObject({ code: "experiment-invalid" });
  expect(String(error)).toContain(said);
});
