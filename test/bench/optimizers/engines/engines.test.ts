import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Cell } from "../environments/cells.ts";
import { cellsOf } from "../environments/cells.ts";
import { shapes } from "../environments/shapes.ts";
import type { Engine } from "./engines.ts";
import { axEngines, gepaEngines, ourEngines, searchSources } from "./engines.ts";

const selection = { shapes: null, budgets: null, tasks: null, runsOfTask: null };
const cells = cellsOf(shapes, { ...selection, actsOn: ["own", "all"] });
const cellsWith = (engine: Engine | undefined): readonly string[] => {
  const taken = cells.filter((cell: Cell) => engine?.takesPartIn(cell));
  return [...new Set(taken.map(({ shape, actsOn }) => `${shape.key} ${actsOn}`))];
};

describe("the engines of bench:optimizers", () => {
  it("have names of their own, by which stored runs are found", () => {
    const { defaults, plain, halfTheTexts, ablated } = ourEngines();
    const engines = [defaults, plain, halfTheTexts, ...ablated, ...axEngines()];
    expect(new Set(engines.map(({ name }) => name)).size).toBe(engines.length);
  });

  it("of ours run anew once anything that a search loads has changed", () => {
    const loaded = loadedBy("src/optimizer/index.ts").map((file) =>
      file.split("/").slice(0, 2).join("/"),
    );
    expect([...new Set(loaded)].toSorted()).toEqual([...searchSources]);
  });

  it("are ax, and ours with half the texts, on the first yardstick with its own mock alone", () => {
    for (const engine of [...axEngines(), ourEngines().halfTheTexts]) {
      expect(cellsWith(engine)).toEqual(["additive one", "conflict one"]);
    }
  });

  it("are gepa with several components only where there are several", () => {
    const peer = { search: () => Promise.reject(new Error("not searched")), end: () => {} };
    const of = (part: string) =>
      cellsWith(gepaEngines(peer).find(({ name }) => name.endsWith(part)));
    expect(of("default")).toContain("a three");
    expect(of("all components")).not.toContain("a three");
    expect(of("all components")).toContain("b three");
  });
});

/** Files of `src/` that a file imports, types left out, and what these import. */
function loadedBy(file: string): readonly string[] {
  const found = new Set([file]);
  for (const one of found) {
    const imports = readFileSync(one, "utf8").matchAll(
      /^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)"/gm,
    );
    for (const [, path = ""] of imports) found.add(join(dirname(one), path));
  }
  return [...found];
}
