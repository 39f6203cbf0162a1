import { describe, expect, it } from "vitest";
import type { Example, LanguageModel } from "espalier";
import { predict, program, reason, signature, study, text, textOfContent } from "espalier";
import { exactMatch, metric, scored } from "espalier/metric";
import { bootstrapFewShot, miproV2, optimize } from "espalier/optimizer";
import { trainset } from "espalier/trainset";
import { z } from "zod";
import type { Gold } from "../../../src/contract/index.ts";
import { labelledDemonstrations } from "../../../src/optimizer/demonstrations/index.ts";
import { programSpace } from "../../../src/optimizer/task/program-space.ts";

const kind = z.enum(["fish", "bird"]);
const shown = { question: text("question", "What is asked.") };
const label = signature({
  name: "label",
  instruction: "Label it.",
  input: shown,
  output: { kind },
});

const examplesOf = <T>(labels: T, prefix = "q", count = 4): readonly Example<Asked, T>[] =>
  Array.from({ length: count }, (_, number) => ({
    id: `${prefix}${number}`,
    input: { question: `${prefix}${number}?` },
    labels,
  }));
interface Asked {
  readonly question: string;
}

const oneStep = program({
  name: "one-step",
  version: "1",
  input: shown,
  output: { kind },
  predictors: { label: predict(label) },
  forward: ({ question }, { predictors }) => predictors.label({ question }),
});

const demonstrationsIn = (
  searched: Parameters<typeof programSpace>[0]["program"],
  labels: unknown,
  gold?: Gold,
) =>
  labelledDemonstrations(
    programSpace({
      program: searched,
      trainset: trainset({
        name: "kinds",
        version: "1",
        licence: "CC0-1.0",
        source: "generated",
        splits: {
          train: examplesOf(labels),
          val: examplesOf(labels, "v"),
          test: examplesOf(labels, "t"),
        },
      }),
      objective: metric({ name: "any", version: "1", score: () => scored(1) }),
      ...(gold && { gold }),
    }),
    [],
  ).map(({ predictor, demonstration: { exampleId, outputs } }) => [predictor, exampleId, outputs]);

const goldOf = (predictor: string): Gold => ({
  [predictor]: ({ labels }) => ({ outputs: labels as Readonly<Record<string, string>> }),
});

describe("labels with the names and types of a program's outputs", () => {
  it("are the demonstrations that gold would give", () => {
    const labels = { kind: "fish" } as const;
    const byName = demonstrationsIn(oneStep, labels);
    expect(byName).toHaveLength(4);
    expect(byName).toEqual(demonstrationsIn(oneStep, labels, goldOf("label")));
  });

  it("leave out what is no output", () => {
    expect(demonstrationsIn(oneStep, { kind: "bird", source: "a book" })[0]).toEqual([
      "label",
      "q0",
      { kind: "bird" },
    ]);
  });

  it.each<[string, Gold]>([
    ["nothing of an example", { label: () => null }],
    ["inputs alone", { label: () => ({ inputs: { question: "another?" } }) }],
  ])("give way to gold that says %s", (_, gold) => {
    expect(demonstrationsIn(oneStep, { kind: "fish" }, gold)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["are of another type", { kind: ["fish"] }],
    ["are no label of the output's", { kind: "stone" }],
    ["are missing", { answer: "fish" }],
    ["are no object", "fish"],
  ])("say nothing where they %s", (_, labels) => {
    expect(demonstrationsIn(oneStep, labels)).toEqual([]);
  });

  it("show a step that reasons without its reasoning", () => {
    const reasoning = program({
      name: "reasoning",
      version: "1",
      input: shown,
      output: { kind },
      predictors: { label: reason(label) },
      forward: async ({ question }, { predictors }) => {
        const { kind } = await predictors.label({ question });
        return { kind };
      },
    });
    expect(demonstrationsIn(reasoning, { kind: "fish" })[0]?.[2]).toEqual({ kind: "fish" });
  });

  it("are of the steps all of whose outputs are the program's, of several steps", () => {
    const note = signature({
      name: "note",
      instruction: "Note it.",
      input: shown,
      output: { kind, note: z.string() },
    });
    const unlike = signature({
      name: "unlike",
      instruction: "Count it.",
      input: shown,
      output: { count: z.int() },
    });
    const steps = program({
      name: "steps",
      version: "1",
      input: shown,
      output: { kind, count: z.string() },
      predictors: { note: predict(note), label: predict(label), unlike: predict(unlike) },
      forward: async ({ question }, { predictors }) => ({
        ...(await predictors.label({ question })),
        count: "1",
      }),
    });
    // `note` is no output of the program's, and the step's `count` is of another type.
    const labels = { kind: "fish", note: "It swims.", count: "1" };
    const found = demonstrationsIn(steps, labels);
    expect(new Set(found.map(([predictor]) => predictor))).toEqual(new Set(["label"]));
  });
});

describe("a search of demonstrations without gold", () => {
  const right = (question: string): string =>
    Number(/\d+(?=\?|$)/.exec(question)?.[0]) % 2 ? "bird" : "fish";
  const labelled = (prefix: string, count: number) =>
    examplesOf({ kind: "" }, prefix, count).map(({ id, input }) => ({
      id,
      input,
      labels: { kind: right(id) as "fish" | "bird" },
    }));
  // Right where it is shown any demonstration, and otherwise never.
  const lm: LanguageModel = {
    identity: { provider: "test", model: "imitator" },
    doGenerate: async ({ messages }) => {
      const asked = right(textOfContent(messages.at(-1)?.content ?? ""));
      const wrong = asked === "fish" ? "bird" : "fish";
      return {
        content: JSON.stringify({ kind: messages.length > 2 ? asked : wrong }),
        reasoning: null,
        finishReason: "stop",
        usage: {
          promptTokens: 1,
          completionTokens: 1,
          cachedPromptTokens: null,
          reasoningTokens: null,
        },
        model: "imitator",
        latencyMs: 0,
        source: "server",
      };
    },
  };
  const kinds = study({
    name: "kinds",
    program: oneStep,
    trainset: trainset({
      name: "kinds",
      version: "1",
      licence: "CC0-1.0",
      source: "generated",
      splits: { train: labelled("q", 12), val: labelled("v", 12), test: labelled("t", 4) },
    }),
    objective: exactMatch({ answer: "kind", golds: "kind" }),
  });

  it.each([
    ["bootstrapFewShot", bootstrapFewShot({ trials: 4 })],
    ["miproV2", miproV2({ budget: { metricCalls: 150 } })],
  ])("by %s() shows labels where no run on train is right", async (_, optimizer) => {
    const { best, components } = await optimize(kinds, { optimizer, lm });
    expect(best.selection.value).toBeGreaterThan(0.5);
    const demos = components.flatMap((one) => (one.kind === "demos" ? one.value : []));
    expect(demos.length).toBeGreaterThan(0);
    for (const { exampleId, outputs, score } of demos) {
      expect(outputs).toEqual({ kind: right(exampleId) });
      expect(score).toBeUndefined();
    }
  });
});
