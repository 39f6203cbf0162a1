import { describe, expect, it } from "vitest";
import { coupledScore, fromYardstick, interactionTask } from "./coupled-task.ts";
import type { YardstickTask } from "./yardstick-task.ts";
import { meanScore } from "./yardstick-task.ts";

const texts = { rewrite_query: "Rewrite. kw_q00", write_answer: "Answer. kw_a00" };

describe("a task of two texts", () => {
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
      const words = keywords.filter((_, index) => (held >> index) % 2 === 1);
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
    expect(coupledScore(interactionTask(0, "share", texts), both, tried)).toBeCloseTo(2 / 3, 12);
    expect(coupledScore(product, both, { ...tried, write_answer: "" })).toBe(0);
  });
});
