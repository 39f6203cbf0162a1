import { describe, expect, it } from "vitest";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OptimizerEvent, OptimizerProgress } from "espalier/optimizer";
import { gepa, optimizeTexts, readRun } from "espalier/optimizer";
import { directedProposer, keywordTask, textsOf } from "./support/keyword-task.ts";

/** Takes something from every score for each word of the second text, whether it ran or not. */
const leak = ({ second = "" }): number => -0.05 * second.split(" ").length;

async function searched(seed: number, metricCalls: number) {
  const { task } = keywordTask({ seed, leak, train: 30, val: 30 });
  const events: (OptimizerEvent | OptimizerProgress)[] = [];
  const folder = await mkdtemp(join(tmpdir(), "espalier-test-"));
  const runFolder = join(folder, "run");
  const result = await optimizeTexts(task, {
    optimizer: gepa({ proposer: directedProposer() }),
    budget: { metricCalls },
    runFolder,
    onEvent: (event) => events.push(event),
  });
  const recorded = readRun(runFolder);
  await rm(folder, { recursive: true });
  return { task, result, events, recorded };
}

describe("once inheritance was found wrong", () => {
  it("the best candidate's scores are its own, and the run's folder tells the same", async () => {
    let confirmed = 0;
    for (let seed = 0; seed < 8; seed++) {
      const { task, result, events, recorded } = await searched(seed, 1000);
      if (!events.some(({ kind }) => kind === "inheritance-ended")) continue;
      const told = events.filter((event) => event.kind === "candidate-confirmed");
      confirmed += told.length;
      const { components, selection } = result.best;
      for (const [exampleId, score] of Object.entries(selection.scores)) {
        const own = await task.evaluate(
          textsOf(components),
          task.val[exampleId] as never,
          { exampleId } as never,
        );
        expect(score).toBeCloseTo(own.score, 12);
      }
      for (const { candidate, selection } of told) {
        expect(result.candidates[candidate]?.selection).toEqual(selection);
      }
      expect(recorded.candidates).toEqual(result.candidates);
      expect(recorded.best?.id).toBe(result.best.id);
      expect(recorded.disputes).toEqual(result.disputes);
      expect(result.disputes?.at(-1)?.kind).toBe("inheritance-ended");
    }
    expect(confirmed).toBeGreaterThan(0);
  });

  it("no more is spent than the budget has", async () => {
    for (let metricCalls = 60; metricCalls <= 400; metricCalls += 20) {
      const { result } = await searched(0, metricCalls);
      expect(result.spent.metricCalls).toBeLessThanOrEqual(metricCalls);
    }
  });
});
