import type { MinibatchSampling } from "espalier/optimizer";
import { epochMinibatches } from "../../../conformance/reference/index.ts";
import { describe, expect, it } from "vitest";
import { interactionTask } from "../../../support/yardstick/coupled-task.ts";
import { plainGepa } from "../../support/plain-gepa.ts";
import { yardstickEnvironment } from "../environments/yardstick-environment.ts";
import { runOurs } from "./run-ours.ts";

const texts = { rewrite_query: "Rewrite. kw_q00", write_answer: "Answer. kw_a00" };
const task = yardstickEnvironment(interactionTask(0, "share", texts), 0, { actsOn: 1 });

describe("a search of ours", () => {
  it("keeps both caps, and its rollouts and texts are counted", async () => {
    const found = await runOurs(task, { metricCalls: 100, texts: 6, run: 0 });
    expect(found).toMatchObject({ task: 0, run: 0, engine: { calls: found.metricCalls } });
    expect(found.metricCalls).toBeGreaterThan(60);
    expect(found.metricCalls).toBeLessThanOrEqual(100);
    expect(found.texts).toBeGreaterThan(2);
    expect(found.texts).toBeLessThanOrEqual(6);
    expect(found.val).toBeGreaterThan(0.3);
  });

  it("finds the same with many rollouts in flight as with one", async () => {
    const limits = { metricCalls: 100, texts: 6, run: 0 };
    let [now, most] = [0, 0];
    const call = async (): Promise<void> => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now--;
    };
    const many = await runOurs(task, limits, { concurrency: 8, call });
    const alone = await runOurs(task, limits, { concurrency: 1 });
    const { wallMs: _, engine: __, ...found } = many;
    expect(alone).toMatchObject(found);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
  });

  it("ends when a validation example is shown to whoever writes texts", async () => {
    const plain = plainGepa();
    const inner = plain.minibatch ?? epochMinibatches();
    const leaking: MinibatchSampling = {
      ...inner,
      next: (view, parent, index) => ({
        kind: "known",
        exampleIds: ["va0"],
        components: view.componentsOf(parent).slice(0, 1),
        rollouts: ["va0"].map((exampleId) => ({
          exampleId,
          score: { kind: "scored" as const, value: index },
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
    const limits = { metricCalls: 100, texts: 6, run: 0 };
    await expect(runOurs(task, limits, { options })).rejects.toThrow("va0");
  });
});
