import { describe, expect, it, vi } from "vitest";
import { benchRequest, parts } from "./options.ts";

describe("the options of bench:optimizers", () => {
  it("ask for every part, each shape with its own figures, where nothing is said", () => {
    const { parts: asked, selection, isWanted } = benchRequest([]);
    expect([...asked]).toEqual(Object.keys(parts));
    expect(selection).toEqual({
      shapes: null,
      budgets: null,
      tasks: null,
      runsOfTask: null,
      actsOn: ["own", "one", "three", "all"],
    });
    expect(isWanted("gepa 0.1.4, merge")).toBe(true);
  });

  it("select parts, cells and engines", () => {
    const {
      parts: asked,
      selection,
      isWanted,
    } = benchRequest(
      "--parts variants,overhead --shapes a,additive+noise --budgets 200 --tasks 0-2 --runs 2 --acts-on own --engines gepa,plain".split(
        " ",
      ),
    );
    expect([...asked]).toEqual(["variants", "overhead"]);
    expect(selection).toEqual({
      shapes: ["a", "additive+noise"],
      budgets: [200],
      tasks: [0, 1, 2],
      runsOfTask: 2,
      actsOn: ["own"],
    });
    expect(["gepa 0.1.4, merge", "espalier, plain GEPA", "ax 24.0.21"].map(isWanted)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each([
    ["--parts", "wall", "expected some of overhead, wall-clock"],
    ["--shapes", "z", "expected some of additive, conflict"],
    ["--tasks", "two", "expected numbers"],
    ["--rounds", "0", "expected a whole number of at least 1"],
  ])("end the process before it measures where they are wrong: %s %s", (option, value, said) => {
    const errors = vi.spyOn(console, "error").mockReturnValue();
    vi.spyOn(process, "exit").mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    expect(() => benchRequest([option, value])).toThrow("exit 2");
    expect(errors.mock.lastCall?.[0]).toContain(`${option} "${value}": ${said}`);
  });
});
