import { expect, test } from "vitest";
import { cellsOf } from "../environments/cells.ts";
import { ourLeverEngines } from "./lever-engines.ts";
import { leverShapes } from "./lever-shapes.ts";

const selection = { shapes: null, budgets: null, tasks: null, runsOfTask: null };
const cells = cellsOf(leverShapes, { ...selection, actsOn: ["own"] });
const shapesOf = (name: string): readonly string[] => {
  const engine = ourLeverEngines().find((one) => one.name === `espalier, ${name}`);
  const taken = cells.filter((cell) => engine?.takesPartIn(cell));
  return [...new Set(taken.map(({ shape }) => shape.key))];
};

test("a search of parameters alone takes part where they alone matter, the others everywhere", () => {
  expect(shapesOf("parameterSearch")).toEqual(["levers-param"]);
  for (const name of ["miproV2", "bootstrapFewShot", "gepa"]) {
    expect(shapesOf(name)).toEqual(leverShapes.map(({ key }) => key));
  }
});
