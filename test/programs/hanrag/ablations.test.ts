import { describe, expect, it } from "vitest";
import { bm25Index } from "espalier/retrieval";
import type { HanragOptions } from "../../../programs/hanrag/index.ts";
import { hanrag } from "../../../programs/hanrag/index.ts";
import { questionRoutes } from "../../../signatures/index.ts";
import { shelf } from "../../retrieval/shelf.ts";
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

describe("ablations as parameters", () => {
  it("have the options as their initial values", async () => {
    await using retriever = await bm25Index({ corpus: shelf });
    const defaults = (options: Partial<HanragOptions>) => {
      const { routing, relevance, ending, refiner } = hanrag({ retriever, ...options }).parameters;
      return [routing, relevance, ending, refiner].map((parameter) => parameter.default);
    };
    expect(defaults({})).toEqual(["router", "on", "on", "on"]);
    expect(defaults({ routing: "complex", without: ["relevance", "refiner"] })).toEqual([
      "complex",
      "off",
      "on",
      "off",
    ]);
  });

  it("leave a part out of a program that was built with it, and back in", async () => {
    const script = {
      "route-question": route("complex"),
      "judge-relevance": () => relevant(false),
    };
    const parameters = { relevance: "off", ending: "off", refiner: "off", maxSteps: 2 };
    const off = await ran({ script, parameters });
    expect(off.output.steps).toBe(2);
    expect(
      (["judge-relevance", "judge-ending", "refine-question"] as const).flatMap((step) =>
        off.asked(step),
      ),
    ).toEqual([]);
    const on = await ran({ script, without: ["ending"], parameters: { ending: "on" } });
    expect(on.asked("judge-ending").length).toBeGreaterThan(0);
  });

  it("route every question one way, which gives the baselines without router", async () => {
    const none = await ran({ parameters: { routing: "straightforward" } });
    expect([none.output.steps, none.asked("route-question")]).toEqual([0, []]);
    const always = await ran({ parameters: { routing: "complex" } });
    expect(always.output.route).toBe("complex");
  });
});

describe("routing without the router", () => {
  it.each(questionRoutes)("takes the route given with the question: %s", async (given) => {
    const { output, asked } = await ran({ input: { question, route: given }, routing: "oracle" });
    expect(output.route).toBe(given);
    expect(asked("route-question")).toEqual([]);
  });

  it("has no parameter value that reads the given route, so no search selects it", async () => {
    await using retriever = await bm25Index({ corpus: shelf });
    const { routing } = hanrag({ retriever, routing: "oracle" }).parameters;
    expect([routing.default, routing.options]).toEqual(["router", ["router", ...questionRoutes]]);
    await expect(ran({ parameters: { routing: "oracle" } })).rejects.toThrow(/routing/);
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
