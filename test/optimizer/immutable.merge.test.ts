import { describe, expect, it } from "vitest";
import type { OptimizerEvent, OptimizerProgress } from "espalier/optimizer";
import { optimizeTexts } from "espalier/optimizer";
import { commonAncestorMerge } from "../conformance/reference/index.ts";
import { randomSource } from "../../src/internal/index.ts";
import type { KeywordTaskOptions } from "./gepa/support/keyword-task.ts";
import { directedProposer, keywordTask } from "./gepa/support/keyword-task.ts";
import { searchDials } from "./parameter-search/support/search-dials.ts";
import { compiledPart, runPlaces } from "./support/run-places.ts";
import type { FlatGepaOptions } from "./support/gepa-with.ts";
import { gepaWith } from "./support/gepa-with.ts";

type Told = OptimizerEvent | OptimizerProgress;

/**
 * Tries to change every property of everything in a value; gives the paths where that succeeded.
 */
function written(value: unknown, path: string = ""): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const held = Object.entries(value);
  const inside = held.flatMap(([name, other]) => written(other, `${path}.${name}`));
  const attempts = [...held.map(([name]) => name), "added"];
  const here = attempts.filter((name) => {
    try {
      (value as Record<string, unknown>)[name] = "changed by a listener";
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
      return false;
    }
  });
  return [...inside, ...here.map((name) => `${path}.${name}`)];
}

function expectFrozen(result: object, except: readonly string[] = []): void {
  expect(Object.isFrozen(result)).toBe(true);
  const plain = Object.entries(result).filter(([name]) => !except.includes(name));
  expect(plain.flatMap(([name, held]) => written(held, name))).toEqual([]);
}

/** A listener that writes wherever it can, and where it could. */
function vandal(): { readonly listen: (event: Told) => void; readonly succeeded: Set<string> } {
  const succeeded = new Set<string>();
  return {
    succeeded,
    listen: (event) => {
      for (const path of written(event)) succeeded.add(`${event.kind}${path}`);
    },
  };
}

describe("what a listener is told", () => {
  it("is the run's own and cannot be written to: of a program", async () => {
    const { listen, succeeded } = vandal();
    const budget = { metricCalls: 120 };
    const disturbed = await runPlaces({ budget, onEvent: listen });
    expect([...succeeded]).toEqual([]);
    expect(compiledPart(disturbed)).toEqual(compiledPart(await runPlaces({ budget })));
    expectFrozen(disturbed.result, ["program"]);
  });

  it.each<[string, FlatGepaOptions, KeywordTaskOptions]>([
    ["with the defaults", {}, { hasObjectives: true }],
    ["with merges", { merge: commonAncestorMerge({ overlapFloor: 2 }), gateAbove: 0 }, {}],
    ["with disputes", {}, { noise: (number) => randomSource(number, "noise").random() / 100 }],
    ["with score reuse ended", {}, { leak: ({ second = "" }) => -0.05 * second.split(" ").length }],
  ])("nor of texts, %s", async (_, options, task) => {
    const search = async (onEvent: (event: Told) => void) => {
      return optimizeTexts(keywordTask({ seed: 2, ...task }).task, {
        optimizer: gepaWith({ proposer: directedProposer(), ...options }),
        budget: { metricCalls: 250 },
        onEvent,
      });
    };
    const { listen, succeeded } = vandal();
    const disturbed = await search(listen);
    expect([...succeeded]).toEqual([]);
    expect(disturbed.candidates.length).toBeGreaterThan(1);
    expect(disturbed.rejections.length).toBeGreaterThan(0);
    const { seconds } = disturbed;
    expect(disturbed).toEqual({ ...(await search(() => {})), seconds });
    expectFrozen(disturbed);
  });

  it("nor of parameters", async () => {
    const { listen, succeeded } = vandal();
    const disturbed = await searchDials({ onEvent: listen });
    expect([...succeeded]).toEqual([]);
    expect(disturbed.tried).toEqual((await searchDials()).tried);
    expectFrozen(disturbed.result, ["program"]);
  });

  it("which leaves the objectives that a metric gave to the metric", async () => {
    const objectives = { brevity: 1 };
    const { task } = keywordTask();
    const { candidates } = await optimizeTexts(
      { ...task, evaluate: () => ({ score: 0.5, objectives }) },
      { optimizer: gepaWith({ proposer: directedProposer() }), budget: { metricCalls: 40 } },
    );
    expect(Object.values(candidates[0]?.selection.objectiveScores ?? {})[0]).toEqual(objectives);
    expect(Object.isFrozen(objectives)).toBe(false);
  });
});
