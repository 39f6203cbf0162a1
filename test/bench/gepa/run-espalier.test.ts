import type { MinibatchSampling } from "espalier/optimizer";
import { epochMinibatches } from "espalier/optimizer";
import { describe, expect, it } from "vitest";
import {
  fromYardstick,
  interactionTask,
  coupledScore,
} from "../../support/yardstick/coupled-task.ts";
import type { YardstickTask } from "../../support/yardstick/yardstick-task.ts";
import { meanScore } from "../../support/yardstick/yardstick-task.ts";
import { plainGepa } from "./plain-gepa.ts";
import { runEspalier } from "./run-espalier.ts";

const texts = { rewrite_query: "Rewrite. kw_q00", write_answer: "Answer. kw_a00" };
const task = interactionTask(0, "share", texts);

describe("the bench's harness", () => {
  it("counts rollouts and texts, and keeps both caps", async () => {
    const found = await runEspalier(task, { metricCalls: 100, reflectionCalls: 6, seed: 0 });
    expect(found).toMatchObject({ task: 0, seed: 0 });
    expect(found.metricCalls).toBeGreaterThan(60);
    expect(found.metricCalls).toBeLessThanOrEqual(100);
    expect(found.reflectionCalls).toBeGreaterThan(2);
    expect(found.reflectionCalls).toBeLessThanOrEqual(6);
    expect(found.val).toBeGreaterThan(0.3);
  });

  it("throws when a validation example is shown to whoever writes texts", async () => {
    const plain = plainGepa();
    const inner = plain.minibatch ?? epochMinibatches();
    const leaking: MinibatchSampling = {
      ...inner,
      next: (view, parent, place) => ({
        kind: "known",
        exampleIds: ["va0"],
        components: view.componentsOf(parent).slice(0, 1),
        rollouts: ["va0"].map((exampleId) => ({
          exampleId,
          score: { kind: "scored" as const, value: place },
          ran: ["rewrite_query"],
          usage: { calls: 0, promptTokens: 0, completionTokens: 0 },
          worst: 0,
          lesson: {
            feedback: "ADD kw_q01",
            steps: [
              {
                path: "rewrite_query",
                predictor: "rewrite_query",
                inputs: {},
                outputs: {},
                rawText: null,
              },
            ],
          },
        })),
      }),
    };
    const options = { ...plain, minibatch: leaking };
    const run = { metricCalls: 100, reflectionCalls: 6, seed: 0, options };
    await expect(runEspalier(task, run)).rejects.toThrow("Reflection was shown `va0`.");
  });

  it("scores a task of the yardstick as the yardstick does", () => {
    const example = {
      id: "va0",
      component: "write_answer",
      required: ["kw_a01", "kw_a02", "kw_a03"],
      forbidden: ["kw_a04", "kw_a05"],
    };
    const splits = { train: [example], val: [example], test: [example] };
    const original: YardstickTask = { seed: 0, variant: "conflict", ...splits };
    const converted = fromYardstick(original, texts);
    const [one] = converted.val;
    if (one === undefined) throw new Error("One example is expected.");
    const keywords = [1, 2, 3, 4, 5].map((number) => `kw_a0${number}`);
    for (let held = 0; held < 32; held++) {
      const words = keywords.filter((_, place) => (held >> place) % 2 === 1);
      const tried = { ...texts, write_answer: ["Answer.", ...words].join(" ") };
      expect(coupledScore(converted, one, tried)).toBe(meanScore(original, [example], tried));
    }
  });

  it("multiplies the shares of both texts where that is the task", () => {
    const product = interactionTask(3, "product", texts);
    const both = {
      id: "x",
      needs: {
        rewrite_query: { required: ["kw_q01", "kw_q02"], forbidden: [] },
        write_answer: { required: ["kw_a01"], forbidden: [] },
      },
    };
    const tried = { rewrite_query: "kw_q01", write_answer: "kw_a01" };
    expect(coupledScore(product, both, tried)).toBe(0.5);
    expect(coupledScore(task, both, tried)).toBeCloseTo(2 / 3, 12);
    expect(coupledScore(product, both, { ...tried, write_answer: "" })).toBe(0);
  });
});
