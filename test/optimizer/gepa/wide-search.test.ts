import { describe, expect, it } from "vitest";
import type {
  EvaluateRequest,
  Optimizer,
  OptimizerEvent,
  OptimizerRun,
  Proposer,
} from "espalier/optimizer";
import { adaptiveWidth, customProposer, optimizeTexts, sameParent } from "espalier/optimizer";
import type { FlatGepaOptions } from "../support/gepa-with.ts";
import { gepaWith } from "../support/gepa-with.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";

/** Wide from the start, so that a short search shows what being wide means. */
const wide = adaptiveWidth({ atMost: 4, loss: 1 });
const dropped = "Another proposal of this iteration was accepted first.";

describe("a wide search", () => {
  it("accepts one proposal of an iteration at most, and spends nothing on those left", async () => {
    let [iterations, left] = [0, 0];
    for (const seed of [0, 1, 2, 3]) {
      const { events } = await search({ seed, val: 20 }, { proposals: wide });
      for (const iteration of Map.groupBy(events, iterationOf).values()) {
        const kinds = iteration.map(({ kind }) => kind);
        const accepted = kinds.filter((kind) => kind === "candidate-accepted").length;
        const proposed = kinds.filter((kind) => kind === "candidate-proposed").length;
        expect(accepted).toBeLessThanOrEqual(1);
        if (proposed > 1) iterations++;
        const drops = iteration.filter(isDrop);
        left += drops.length;
        const decidedAt = kinds.indexOf("candidate-accepted");
        const after = decidedAt === -1 ? [] : iteration.slice(decidedAt + 1);
        expect(after.filter(isDrop)).toEqual(drops);
        expect(after.filter(isProposalOnVal)).toEqual([]);
      }
    }
    expect(iterations).toBeGreaterThan(10);
    expect(left).toBeGreaterThan(10);
  });

  it("judges them in order of their gain on the minibatch", async () => {
    const proposer = customProposer("worse first", ({ id, component }) =>
      /\/\d+$/.test(id) ? `${component.value} w0 w1 w2 w3 w4 w5 w6` : `${component.value} w0`,
    );
    const { candidates } = await search(
      { hasConflicts: false, val: 20 },
      {
        proposals: adaptiveWidth({ atMost: 2, loss: 1 }),
        components: ["instruction:first"],
        proposer,
        gateAbove: 0,
        secondTries: 0,
        stop: [{ name: "one", stop: ({ iterations }) => (iterations === 1 ? "one" : null) }],
      },
    );
    const first = candidates[1]?.components.find(({ path }) => path === "first");
    expect(first?.value).toContain("w6");
  });

  it("shows each proposal of an iteration a lesson of its own", async () => {
    const asked: (readonly [iteration: string, lesson: string])[] = [];
    const inner = directedProposer();
    const proposer: Proposer = {
      ...inner,
      propose: (requests, run) => {
        for (const { id, component, cases } of requests) {
          if (id.includes("again")) continue;
          const [iteration = ""] = id.split("/");
          asked.push([iteration, `${component.path}: ${cases[0]?.feedback}`]);
        }
        return inner.propose(requests, run);
      },
    };
    const proposals = adaptiveWidth({ atMost: 4, loss: 1 });
    await search({ seed: 2, train: 24 }, { proposals, proposer });
    const byIteration = [...Map.groupBy(asked, ([iteration]) => iteration).values()];
    expect(byIteration.some((group) => group.length > 2)).toBe(true);
    for (const group of byIteration) {
      const lessons = group.map(([, lesson]) => lesson);
      expect(new Set(lessons).size).toBe(lessons.length);
    }
  });

  it("runs parent and child on the minibatch in one step", async () => {
    const pairsIn = async (proposals: FlatGepaOptions["proposals"]): Promise<number> => {
      let pairs = 0;
      await search({ seed: 1 }, { ...(proposals && { proposals }), gateAbove: 0 }, (requests) => {
        const [first, ...others] = requests.filter(({ split }) => split === "train");
        const isPair = others.some(({ exampleIds }) =>
          exampleIds.some((id) => first?.exampleIds.includes(id)),
        );
        if (isPair) pairs++;
      });
      return pairs;
    };
    expect(await pairsIn(adaptiveWidth())).toBeGreaterThan(0);
    expect(await pairsIn(sameParent())).toBe(0);
  });

  it("seeks a lesson on as many examples again as it has found none on", async () => {
    const sizesIn = async (proposals: FlatGepaOptions["proposals"]): Promise<readonly number[]> => {
      const sizes: number[] = [];
      await optimizeTexts(
        {
          name: "rare",
          version: "1",
          texts: { first: "Begin." },
          train: Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`t${index}`, index])),
          val: { v0: 0, v1: 1 },
          evaluate: () => ({ score: 1, ran: ["first"] }),
        },
        {
          optimizer: watched(
            gepaWith({
              ...(proposals && { proposals }),
              perfectScore: 1,
              proposer: directedProposer(),
            }),
            ([first]) => {
              if (first?.split === "train") sizes.push(first.exampleIds.length);
            },
          ),
          budget: { metricCalls: 200 },
        },
      );
      return sizes;
    };
    // Twelve before the first proposal, and then three at a time; or as many as before them, no
    // more than a tenth of what is left, and the rest.
    expect(await sizesIn(adaptiveWidth())).toEqual([12, 12, 17, 15, 4]);
    expect((await sizesIn(sameParent())).slice(0, 5)).toEqual([12, 3, 3, 3, 3]);
  });

  it("counts each text that was refused as an iteration that brought nothing", async () => {
    const asked = async (proposals: FlatGepaOptions["proposals"]): Promise<number> => {
      let texts = 0;
      const { reason } = await search(
        { train: 30 },
        {
          ...(proposals && { proposals }),
          proposer: customProposer("same", ({ component }) => {
            texts++;
            return component.value;
          }),
          secondTries: 0,
          maxIdleIterations: 20,
        },
      );
      expect(reason).toBe("nothing-new");
      return texts;
    };
    expect(await asked(wide)).toBeLessThanOrEqual(20 + 4);
  });
});

function iterationOf(event: OptimizerEvent): number {
  return "iteration" in event && typeof event.iteration === "number" ? event.iteration : -1;
}

function isDrop(event: OptimizerEvent): boolean {
  return event.kind === "candidate-refused" && event.detail === dropped;
}

function isProposalOnVal(event: OptimizerEvent): boolean {
  return (
    event.kind === "candidate-evaluated" && event.split === "val" && event.candidate === "proposed"
  );
}

async function search(
  sizes: Parameters<typeof keywordTask>[0],
  options: FlatGepaOptions,
  onStep: (requests: readonly EvaluateRequest[]) => void = () => {},
) {
  const events: OptimizerEvent[] = [];
  const { task } = keywordTask(sizes);
  const result = await optimizeTexts(task, {
    optimizer: watched(gepaWith({ proposer: directedProposer(), ...options }), onStep),
    budget: { metricCalls: 400 },
    onEvent: (event) => {
      if (event.kind !== "progress") events.push(event);
    },
  });
  return { ...result, events };
}

/** Tells each step of the search that evaluates. */
function watched(
  optimizer: Optimizer,
  onStep: (requests: readonly EvaluateRequest[]) => void,
): Optimizer {
  const telling = (run: OptimizerRun): OptimizerRun =>
    new Proxy(run, {
      get: (target, name) => {
        if (name !== "evaluate") return Reflect.get(target, name) as unknown;
        return async (requests: readonly EvaluateRequest[]) => {
          onStep(requests);
          return target.evaluate(requests);
        };
      },
    });
  return { ...optimizer, doOptimize: (space, run) => optimizer.doOptimize(space, telling(run)) };
}
