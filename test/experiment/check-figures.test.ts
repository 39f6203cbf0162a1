import { expect, test } from "vitest";
import type { Experiment, PublishedFigure } from "espalier";
import { experiment } from "espalier";
import { checkFigures } from "../../src/experiment/files.ts";
import { placeStudy } from "../optimizer/support/place-search.ts";
import { thrownBy } from "../support/thrown-by.ts";

const figure = (value: number, metric?: string): PublishedFigure => ({
  value,
  of: "table 1",
  differs: "model",
  ...(metric !== undefined && { metric }),
});

/** A row on a variant; the study that it is a variant of has an objective of another name. */
function checked(parts: Partial<Experiment>, ...published: readonly PublishedFigure[]): void {
  const row = { name: "one", study: placeStudy, published };
  const declared = experiment({ name: "e", title: "E", source: "tests", rows: [row], ...parts });
  const objective = { ...placeStudy.objective, name: "recall" };
  checkFigures(declared, row, { study: placeStudy, declared: { objective } });
}

test.each<[what: string, parts: Partial<Experiment>, PublishedFigure[], said: string]>([
  [
    "of our own has the name of the objective",
    { figures: [{ name: "found-place", of: () => 1 }] },
    [],
    "A figure has the same name as the row's objective",
  ],
  [
    "is published a second time for the objective, by its name",
    {},
    [figure(0.1), figure(0.2, "found-place")],
    'at most one for "found-place"; the objective is "found-place". Got: 0.1 (table 1) and 0.2 (table 1)',
  ],
  [
    "is published a second time for a group's objective",
    { breakdowns: [{ name: "turn", by: "turn" }] },
    [undefined, "found-place"].map((metric, index) => ({
      ...figure(index, metric),
      group: { breakdown: "turn", name: "1" },
    })),
    "Got: 0 (table 1) and 1 (table 1)",
  ],
  [
    "is published beside none that the table shows",
    { metrics: ["narrow"], figures: [{ name: "words", of: () => 1 }] },
    [figure(0.1, "broad")],
    'found-place, recall, narrow, words. Got: "broad", 0.1 (table 1)',
  ],
])("a figure is refused that %s", async (_what, parts, published, said) => {
  const error = await thrownBy(() => checked(parts, ...published));
  expect(error).toMatchObject({ code: "experiment-invalid" });
  expect(error.message).toContain('(at row "one")');
  expect(error.message).toContain(said);
});

test.each<[what: string, parts: Partial<Experiment>, PublishedFigure[]]>([
  ["the objective", {}, [figure(0.1)]],
  ["the objective, by name", { metrics: [] }, [figure(0.1, "found-place")]],
  ["the objective of another variant", { metrics: [] }, [figure(0.1, "recall")]],
  ["one of the metrics shown", { metrics: ["narrow"] }, [figure(0.1, "narrow")]],
  [
    "a figure of our own",
    { metrics: [], figures: [{ name: "words", of: () => 1 }] },
    [figure(1, "words")],
  ],
  ["what the metric may report, where all of it is shown", {}, [figure(0.1, "narrow")]],
  [
    "the objective on this trainset, and on any",
    {},
    [figure(0.1), { ...figure(0.2), trainset: "places" }],
  ],
  [
    "what the row shows on another trainset",
    { metrics: [] },
    [{ ...figure(0.1, "broad"), trainset: "far" }],
  ],
])("a figure may be published beside %s", (_what, parts, published) => {
  expect(() => checked(parts, ...published)).not.toThrow();
});
