import { describe, expect, it } from "vitest";
import { questionRoutes } from "../../../signatures/index.ts";
import { question, ran } from "./parts.ts";
import { relevant, route } from "./scripted-steps.ts";

describe("parts left out", () => {
  it("without relevance the first three passages found are read, and none is judged", async () => {
    const { output, asked } = await ran({
      script: { "judge-relevance": () => relevant(false) },
      without: ["relevance"],
    });
    expect(output.passages).toHaveLength(3);
    expect(asked("judge-relevance")).toEqual([]);
  });

  it("without ending every complex question takes all its steps", async () => {
    const { output, asked } = await ran({
      script: { "route-question": route("complex") },
      without: ["ending"],
    });
    expect(output.steps).toBe(5);
    expect(asked("judge-ending")).toEqual([]);
  });

  it("without refiner every step searches with the question itself", async () => {
    const { output, asked } = await ran({
      script: { "route-question": route("complex") },
      without: ["refiner"],
    });
    expect(output.solved.map((step) => step.question)).toEqual([question, question]);
    expect(asked("refine-question")).toEqual([]);
  });

  it("without all three the router and the generators remain", async () => {
    const { output, paths } = await ran({
      script: { "route-question": route("complex") },
      without: ["relevance", "ending", "refiner"],
      parameters: { maxSteps: 1 },
    });
    expect(output.steps).toBe(1);
    expect(paths).toEqual([
      "routeQuestion",
      "step[1]/bm25",
      "step[1]/answerFromPassages",
      "answerFromSteps",
    ]);
  });
});

describe("routing without the router", () => {
  it.each(questionRoutes)("takes the route given with the question: %s", async (given) => {
    const { output, asked } = await ran({ input: { question, route: given }, routing: "oracle" });
    expect(output.route).toBe(given);
    expect(asked("route-question")).toEqual([]);
  });

  it("refuses a question without a route where the oracle should tell it", async () => {
    await expect(ran({ routing: "oracle" })).rejects.toMatchObject({ code: "input-invalid" });
  });

  it.each(questionRoutes)("takes every question as %s, where that is set", async (always) => {
    const { output, asked } = await ran({ routing: always });
    expect(output.route).toBe(always);
    expect(asked("route-question")).toEqual([]);
  });

  it("does not look at a given route unless told to", async () => {
    const { output } = await ran({ input: { question, route: "complex" } });
    expect(output.route).toBe("single-step");
  });
});
