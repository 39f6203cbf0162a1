import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evaluate } from "espalier/evaluate";
import { connect } from "espalier/lm";
import { decisionFit, optimize } from "espalier/optimizer";
import { chatPath } from "../../support/vllm-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { dialStudy } from "../parameter-search/support/dials.ts";
import { balanceOf, questions, routedStudy, routingServer } from "./routed-questions.ts";

const val = questions.slice(20, 80);
const model = "test-model";

describe("a fit of decisions", () => {
  it("finds the weight that brute force over all thresholds finds", async () => {
    await using server = await routingServer();
    await using lm = connect({ baseUrl: server.baseUrl, model, examinationsFolder: null });
    const { best, reason } = await optimize(routedStudy, {
      optimizer: decisionFit(),
      lm,
    });
    expect(reason).toBe("all-tried");
    expect(best.selection.value).toBeCloseTo(bestBalance(), 12);
    expect(best.changed).toEqual(["parameter:abstaining"]);
    expect(best.acceptance).toMatchObject({ by: "decision-fit" });
    const weight = best.components.find(({ path }) => path === "abstaining")?.value;
    // A weight w is a threshold of 1 / (1 + w).
    expect(balanceAt(1 / (1 + Number(weight)))).toBeCloseTo(bestBalance(), 12);
  });

  it("runs each example once for each of its decisions, however many weights it tries", async () => {
    await using server = await routingServer();
    await using lm = connect({ baseUrl: server.baseUrl, model, examinationsFolder: null });
    const { spent } = await optimize(routedStudy, { optimizer: decisionFit(), lm });
    expect(spent.metricCalls).toBeLessThanOrEqual(2 * val.length);
    const asked = server.requests.filter(({ path }) => path === chatPath);
    const names = asked.map(({ body }) => body.response_format.json_schema.name);
    expect(names.filter((name) => name === "classify")).toHaveLength(val.length);
  });

  it("needs no server where a cache holds what the decisions lead to", async () => {
    await using folder = await temporaryFolder();
    const cachePath = join(folder.path, "cache.sqlite");
    const server = await routingServer();
    const options = { baseUrl: server.baseUrl, model, cachePath, examinationsFolder: null };
    const live = await (async () => {
      await using lm = connect(options);
      return await optimize(routedStudy, { optimizer: decisionFit(), lm });
    })();
    await server[Symbol.asyncDispose]();
    await using lm = connect({ ...options, isCacheOnly: true });
    const offline = await optimize(routedStudy, { optimizer: decisionFit(), lm });
    expect(offline.best).toEqual(live.best);
    expect(live.best.id).toBe(1);
  });

  it("does not count weights that need a call which was not recorded, and says so", async () => {
    await using folder = await temporaryFolder();
    const cachePath = join(folder.path, "cache.sqlite");
    await using server = await routingServer();
    const options = { baseUrl: server.baseUrl, model, cachePath, examinationsFolder: null };
    await (async () => {
      await using lm = connect(options);
      const { program, objective, trainset } = routedStudy;
      await evaluate({ program, metric: objective, lm, examples: trainset.splits.val });
    })();
    const asked = server.requests.length;
    await using lm = connect({ ...options, isCacheOnly: true });
    const { best, detail } = await optimize(routedStudy, { optimizer: decisionFit(), lm });
    expect(server.requests).toHaveLength(asked);
    expect(best.id).toBe(0);
    expect(detail).toMatch(
      /^No weights are better than the program's own\. \d+ settings were not counted: \d+ examples/,
    );
  });

  it("refuses weights that do not hold out of fold", async () => {
    await using server = await routingServer();
    await using lm = connect({ baseUrl: server.baseUrl, model, examinationsFolder: null });
    const { val: all } = routedStudy.trainset.splits;
    // Two conversations whose best thresholds exclude each other.
    const rows = [
      { probability: 0.4, isAnswerable: true },
      { probability: 0.45, isAnswerable: false },
      { probability: 0.1, isAnswerable: true },
      { probability: 0.2, isAnswerable: false },
    ].map(({ probability, isAnswerable }, index) => ({
      id: `row${index}`,
      cluster: `conversation-${Math.floor(index / 2)}`,
      input: { question: `q${index}: ${probability}` },
      labels: { isAnswerable },
    }));
    const splits = { ...routedStudy.trainset.splits, val: rows as typeof all };
    const { aggregate: _aggregate, ...shareRight } = routedStudy.objective;
    const { best, rejections } = await optimize(
      {
        ...routedStudy,
        objective: shareRight,
        trainset: { ...routedStudy.trainset, splits },
      },
      { optimizer: decisionFit(), lm },
    );
    expect(best.id).toBe(0);
    expect(rejections).toMatchObject([{ reason: "not-better-on-val" }]);
    expect(rejections[0]?.detail).toContain("out of fold, in 2 folds of whole clusters");
  });

  it("needs a program with weights", async () => {
    await using server = await routingServer();
    await using lm = connect({ baseUrl: server.baseUrl, model, examinationsFolder: null });
    await expect(optimize(dialStudy, { optimizer: decisionFit(), lm })).rejects.toMatchObject({
      code: "component-unknown",
    });
  });
});

/** The objective on val if all at or above a probability are declined, by its definition. */
function balanceAt(threshold: number): number {
  return balanceOf(
    val.map(({ isAnswerable, abstaining }) => ({
      isAnswerable,
      value: Number(abstaining < threshold === isAnswerable),
    })),
  );
}

function bestBalance(): number {
  const thresholds = val.map(({ abstaining }) => abstaining + 1e-9);
  return Math.max(...thresholds.map(balanceAt));
}
