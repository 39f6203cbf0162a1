import { describe, expect, it } from "vitest";
import { customProposer, optimizeTexts, paretoParent } from "espalier/optimizer";
import { anyOnVal, bestParent } from "../../conformance/reference/index.ts";
import { randomSource } from "../../../src/internal/index.ts";
import type { KeywordTaskOptions } from "./support/keyword-task.ts";
import { keywordTask } from "./support/keyword-task.ts";
import type { FlatGepaOptions } from "../support/gepa-with.ts";
import { gepaWith } from "../support/gepa-with.ts";

/** Looks into maps and sets, and items that lists were walked through, by all that is run. */
interface Work {
  done: number;
}

describe("an iteration", () => {
  const noise = (number: number): number => 0.001 * randomSource(number, "noise").random();

  it.each([
    ["the best as parent", { parent: bestParent() }, {}],
    ["the default parents", {}, {}],
    // Where hundreds tie at an example, its front names them all, once for each one that is added.
    ["parents from fronts without ties", { parent: paretoParent() }, { noise }],
  ] as const)(
    "does not do more work for having more candidates, with %s",
    async (_, options, task) => {
      const { perIteration, candidates } = await workOf(options, task);
      expect(candidates).toBeGreaterThan(300);
      const mean = (from: number, to: number): number =>
        perIteration.slice(from, to).reduce((sum, work) => sum + work, 0) / (to - from);
      const [early, late] = [mean(40, 100), mean(240, 300)];
      // Six times the candidates: what grows with them would show as far more than a fifth.
      expect(late).toBeLessThan(1.2 * early);
    },
  );

  it("counts work that grows where a strategy looks at every candidate", async () => {
    const { perIteration } = await workOf({
      parent: {
        name: "looks at all",
        select: ({ candidates, best }) =>
          candidates.map(({ id }) => id).toSorted((one, other) => one - other)[best.id] ?? 0,
      },
    });
    expect(perIteration[299]).toBeGreaterThan((perIteration[99] ?? 0) + 150);
  });
});

/** A run in which each iteration adds a candidate, and the work of each iteration. */
async function workOf(
  options: FlatGepaOptions,
  { noise }: KeywordTaskOptions = {},
): Promise<{
  readonly perIteration: readonly number[];
  readonly candidates: number;
}> {
  let written = 0;
  const proposer = customProposer("never repeats", ({ component }) => {
    written++;
    return `${component.value.split(" ")[0] ?? ""} w${written % 12} x${written}`;
  });
  const { task } = keywordTask({ train: 24, ...(noise && { noise }) });
  const perIteration: number[] = [];
  let before = 0;
  using work = countedWork();
  const { candidates } = await optimizeTexts(task, {
    optimizer: gepaWith({
      proposer,
      valAcceptance: anyOnVal(),
      valSample: null,
      gateAbove: null,
      scoreReuse: noise === undefined ? "trace" : "none",
      ...options,
    }),
    budget: { reflectionCalls: 310 },
    onEvent: ({ kind }) => {
      if (kind !== "iteration-end") return;
      perIteration.push(work.done - before);
      before = work.done;
    },
  });
  return { perIteration, candidates: candidates.length };
}

/** Counts on the built-in prototypes until it is disposed of. */
function countedWork(): Work & Disposable {
  const work = { done: 0 };
  const undo: (() => void)[] = [];
  const count = (prototype: object, names: readonly string[], costOf: (held: never) => number) => {
    for (const name of names) {
      const own = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor;
      const original = own.value as (...given: unknown[]) => unknown;
      Object.defineProperty(prototype, name, {
        ...own,
        value: function counted(this: never, ...given: unknown[]) {
          work.done += costOf(this);
          return original.apply(this, given);
        },
      });
      undo.push(() => Object.defineProperty(prototype, name, own));
    }
  };
  count(Map.prototype, ["get", "has", "set"], () => 1);
  count(Set.prototype, ["has", "add"], () => 1);
  const walks = ["filter", "map", "flatMap", "flat", "reduce", "some", "every", "find", "findLast"];
  count(
    Array.prototype,
    [...walks, "includes", "indexOf", "toSorted", "toReversed", "values", Symbol.iterator as never],
    ({ length }: readonly unknown[]) => length,
  );
  count(
    Map.prototype,
    ["values", "entries", "keys", Symbol.iterator as never],
    ({ size }: ReadonlyMap<unknown, unknown>) => size,
  );
  return {
    get done() {
      return work.done;
    },
    set done(value) {
      work.done = value;
    },
    [Symbol.dispose]: () => {
      for (const step of undo.toReversed()) step();
    },
  };
}
