import { describe, expect, it } from "vitest";
import type { EvaluateRequest, OptimizerRun } from "espalier/optimizer";
import { optimizeTexts } from "espalier/optimizer";
import { gepaWith } from "../../support/gepa-with.ts";
import { directedProposer, keywordTask } from "../../gepa/support/keyword-task.ts";

describe("work ahead of a search", () => {
  it("is part of the search's next evaluation, and gets its answer after it", async () => {
    const told: string[] = [];
    const { calls } = await probed(async (run, request) => {
      const ahead = run.beginAhead?.(async ({ evaluate, consult }) => {
        const [rollouts = []] = await evaluate([request("train", "t0")]);
        told.push(`ran ${rollouts.map(({ exampleId }) => exampleId).join()}`);
        told.push(await consult(1, () => "a text"));
      });
      await run.evaluate([request("val", "v0", "v1")]);
      expect(run.spent).toMatchObject({ metricCalls: 3, reflectionCalls: 0 });
      expect(told).toEqual([]);
      await run.evaluate([request("val", "v2")]);
      expect(run.spent).toMatchObject({ metricCalls: 4, reflectionCalls: 1 });
      expect(told).toEqual(["ran t0"]);
      await ahead?.end();
      expect(told).toEqual(["ran t0", "a text"]);
    });
    // The search's own come first, whatever came to be known first.
    expect(calls).toEqual(["v0", "v1", "t0", "v2"]);
  });

  it("makes no request that waits when it ends, and none after that", async () => {
    let made = 0;
    const { calls } = await probed(async (run, request) => {
      let isCaught = false;
      const ahead = run.beginAhead?.(async ({ consult }) => {
        await consult(1, () => ++made).catch(() => {
          isCaught = true;
        });
        await consult(1, () => ++made);
      });
      await ahead?.end();
      expect(isCaught).toBe(true);
      await run.evaluate([request("val", "v0")]);
      expect(run.spent).toMatchObject({ metricCalls: 1, reflectionCalls: 0 });
    });
    expect([made, calls]).toEqual([0, ["v0"]]);
  });

  it("makes no request that does not fit beside the search's own", async () => {
    let made = 0;
    const { calls } = await probed(
      async (run, request) => {
        const dear = run.beginAhead?.(async ({ evaluate }) => {
          await evaluate([request("train", "t0", "t1", "t2", "t3", "t4", "t5")]);
        });
        const cheap = run.beginAhead?.(async ({ consult }) => {
          await consult(1, () => ++made);
        });
        await run.evaluate([request("val", "v0", "v1")]);
        expect(run.spent).toMatchObject({ metricCalls: 2, reflectionCalls: 1 });
        for (const ahead of [dear, cheap]) await ahead?.end();
      },
      { metricCalls: 10, reflectionCalls: 2 },
    );
    expect([made, calls]).toEqual([1, ["v0", "v1"]]);
  });

  it("tells of its own failure as it ends", async () => {
    await probed(async (run) => {
      const ahead = run.beginAhead?.(() => Promise.reject(new Error("broken")));
      await expect(ahead?.end()).rejects.toThrow("broken");
    });
  });

  it("fails with the step that it is part of", async () => {
    const { calls } = await probed(async (run, request) => {
      let failure: unknown;
      const ahead = run.beginAhead?.(async ({ consult }) => {
        await consult(1, () => {
          throw new Error("no text");
        }).catch((error: unknown) => (failure = error));
      });
      await expect(run.evaluate([request("val", "v0")])).rejects.toThrow("no text");
      await ahead?.end();
      expect(failure).toMatchObject({ message: "no text" });
      expect(run.spent).toMatchObject({ metricCalls: 0, reflectionCalls: 0 });
    });
    expect(calls).toEqual(["v0"]);
  });
});

type RequestOf = (split: "train" | "val", ...exampleIds: string[]) => EvaluateRequest;

/** Has a run do this before anything else; returns the examples that were run by then. */
async function probed(
  probe: (run: OptimizerRun, request: RequestOf) => Promise<void>,
  budget: { readonly metricCalls: number; readonly reflectionCalls?: number } = {
    metricCalls: 1_000,
  },
): Promise<{ readonly calls: readonly string[] }> {
  const { task, calls } = keywordTask({ isSlow: true });
  const inner = gepaWith({ proposer: directedProposer() });
  class Probed extends Error {}
  let called: readonly string[] = [];
  const search = optimizeTexts(task, {
    optimizer: {
      ...inner,
      doOptimize: async (space, run) => {
        await probe(run, (split, ...exampleIds) => {
          return { candidate: space.components, split, exampleIds };
        });
        called = [...calls];
        throw new Probed();
      },
    },
    budget,
  });
  await expect(search).rejects.toBeInstanceOf(Probed);
  return { calls: called };
}
