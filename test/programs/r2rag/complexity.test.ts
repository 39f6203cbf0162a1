import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { connectEmbedder } from "espalier/lm";
import { rehearsalEmbedder, serveRehearsal } from "@espalier/rehearsal";
import {
  complexityClassifier,
  readComplexityModel,
  trainComplexityModel,
} from "../../../programs/r2rag/index.ts";
import {
  fitLogisticRegression,
  logisticProbability,
} from "../../../programs/r2rag/complexity/logistic-regression.ts";
import {
  questionFeatureNames,
  questionFeatures,
} from "../../../programs/r2rag/complexity/question-features.ts";

interface Reference {
  readonly rows: readonly (readonly number[])[];
  readonly labels: readonly boolean[];
  readonly cases: readonly {
    readonly c: number;
    readonly weights: readonly number[];
    readonly intercept: number;
    readonly probabilities: readonly number[];
    readonly scaledWeights: readonly number[];
    readonly scaledIntercept: number;
    readonly scaledProbabilities: readonly number[];
  }[];
}

/** What scikit-learn makes of the same rows; the script beside it wrote it. */
const reference = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "fixtures/logistic-regression.json"), "utf8"),
) as Reference;

const close = (numbers: readonly number[]) =>
  numbers.map((number) => expect.closeTo(number, 7) as number);

describe("logistic regression", () => {
  const { rows, labels, cases } = reference;

  it.each(cases)("finds scikit-learn's optimum for C = $c", (expected) => {
    const fitted = fitLogisticRegression({ rows, labels, c: expected.c });
    expect(fitted.weights).toEqual(close(expected.weights));
    expect(fitted.intercept).toBeCloseTo(expected.intercept, 7);
    expect(rows.slice(0, 8).map((row) => logisticProbability(fitted, row))).toEqual(
      close(expected.probabilities),
    );
  });

  it("finds the same twice, to the last bit", () => {
    const problem = { rows, labels, c: 1 };
    expect(fitLogisticRegression(problem)).toEqual(fitLogisticRegression(problem));
  });

  it("separates what can be separated, without running away", () => {
    const separable = { rows: [[-1], [-0.5], [0.5], [1]], labels: [false, false, true, true] };
    const { weights, intercept } = fitLogisticRegression({ ...separable, c: 1e6 });
    expect(Number.isFinite(weights[0])).toBe(true);
    expect(intercept).toBeCloseTo(0, 6);
    expect(logisticProbability({ weights, intercept }, [0.5])).toBeGreaterThan(0.99);
    expect(logisticProbability({ weights, intercept }, [-1_000])).toBe(0);
  });

  it("refuses one label alone", () => {
    const one = { rows: [[1], [2]], labels: [true, true], c: 1 };
    expect(() => fitLogisticRegression(one)).toThrow("2 true of 2");
  });
});

describe("the features of a question", () => {
  const featuresOf = (question: string) => {
    const values = questionFeatures(question);
    const named = questionFeatureNames.map((name, index) => [name, values[index]] as const);
    return Object.fromEntries(named.filter(([, value]) => value !== 0));
  };

  it("are nineteen counts, of which those of an empty question are zero", () => {
    expect(questionFeatureNames).toHaveLength(19);
    expect(featuresOf("")).toEqual({ sentences: 1 });
  });

  it("count words by their kind, and punctuation", () => {
    expect(featuresOf("How does the tax of Ostrel compare with that of Kessing, and why?")).toEqual(
      {
        words: 13,
        characters: 65,
        sentences: 1,
        commas: 1,
        questionMarks: 1,
        capitalizedWords: 2,
        openQuestionWords: 3,
        determiners: 2,
        adpositions: 3,
        coordinatingConjunctions: 1,
        auxiliaries: 1,
      },
    );
    expect(
      featuresOf("I don’t know: who really won in 1902? Is it larger than Varnholm’s?"),
    ).toMatchObject({
      sentences: 2,
      numbers: 1,
      questionWords: 1,
      pronouns: 2,
      adverbs: 1,
      comparisons: 1,
      particles: 2,
      otherPunctuation: 3,
      subordinatingConjunctions: 1,
    });
  });
});

const simple = [
  "Who built the bridge?",
  "When was it finished?",
  "Where is Ostrel?",
  "What is salt?",
];
const complex = [
  "How does the harbour compare with the market, and why did trade move between them?",
  "Explain the causes of the flood, and what towns did about it before and after.",
  "Why do storms reach Varnholm, and how do its people prepare for them?",
  "Compare the pros and cons of iron and stone, and say which lasts longer.",
];
const examples = [
  ...simple.map((question) => ({ question, isComplex: false })),
  ...complex.map((question) => ({ question, isComplex: true })),
];

describe("a classifier of questions without a language model", () => {
  const embedder = rehearsalEmbedder({ dimensions: 16 });

  it("learns from examples, survives JSON, and tells new questions apart", async () => {
    const trained = await trainComplexityModel({ examples, embedder });
    const model = readComplexityModel(JSON.parse(JSON.stringify(trained)));
    expect(model).toEqual(trained);
    expect(model).toMatchObject({
      embedder: embedder.identity,
      dimensions: 16,
      training: { examples: 8, complex: 4, c: 1 },
    });
    expect(model.weights).toHaveLength(16 + 19);
    const classifier = complexityClassifier({ model, embedder });
    const judged = async (question: string) => classifier.doClassify(question, {});
    expect(await judged("Who won?")).toMatchObject({ isComplex: false });
    const long = "Why did the market fail, and how do its causes compare with those of the flood?";
    const { isComplex, probability } = await judged(long);
    expect(isComplex).toBe(true);
    const strict = complexityClassifier({ model, embedder, threshold: probability + 1e-9 });
    expect(await strict.doClassify(long, {})).toMatchObject({ isComplex: false });
  });

  it("brings its inputs to one scale, as scikit-learn's StandardScaler does", async () => {
    // The reference's rows come as vectors; the questions are alike, so that no feature varies.
    const { rows, labels, cases } = reference;
    const vectorsOf = {
      identity: { provider: "reference", model: "rows" },
      doEmbed: async (texts: readonly string[]) => ({
        vectors: texts.map((text) => new Float64Array(rows[text.length - 1] ?? []) as never),
        usage: { promptTokens: 0 },
      }),
    };
    for (const expected of cases) {
      const model = await trainComplexityModel({
        // Spaces tell the rows apart and are no feature.
        examples: labels.map((isComplex, index) => ({
          question: " ".repeat(index + 1),
          isComplex,
        })),
        embedder: vectorsOf,
        c: expected.c,
      });
      expect(model.weights.slice(0, 6)).toEqual(close(expected.scaledWeights));
      expect(model.weights.slice(6)).toEqual(questionFeatureNames.map(() => 0));
      expect(model.intercept).toBeCloseTo(expected.scaledIntercept, 7);
      const classifier = complexityClassifier({ model, embedder: vectorsOf });
      for (const [index, probability] of expected.scaledProbabilities.entries()) {
        const judged = await classifier.doClassify(" ".repeat(index + 1), {});
        expect(judged.probability).toBeCloseTo(probability, 7);
      }
    }
  });

  it("works with an embedder behind HTTP, and is ended by an abort", async () => {
    await using server = await serveRehearsal();
    const connected = connectEmbedder({ baseUrl: `${server.url}/v1`, model: "rehearsal" });
    const model = await trainComplexityModel({ examples, embedder: connected });
    const classifier = complexityClassifier({ model, embedder: connected });
    expect(await classifier.doClassify("Who won?", {})).toMatchObject({ isComplex: false });
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    await expect(classifier.doClassify("Who won?", { signal })).rejects.toBe(reason);
    await expect(trainComplexityModel({ examples, embedder: connected, signal })).rejects.toBe(
      reason,
    );
  });

  it("refuses another embedder, other features, and what is no model", async () => {
    const model = await trainComplexityModel({ examples, embedder });
    const other = { ...embedder, identity: { provider: "vllm", model: "other" } };
    expect(() => complexityClassifier({ model, embedder: other })).toThrow("vllm/other");
    const shorter = { ...rehearsalEmbedder({ dimensions: 8 }), identity: embedder.identity };
    const call = complexityClassifier({ model, embedder: shorter }).doClassify("Who?", {});
    await expect(call).rejects.toMatchObject({ code: "option-invalid" });
    const files: readonly (readonly [unknown, string])[] = [
      [{ ...model, features: ["nouns"] }, "the features nouns"],
      [{ ...model, weights: [1] }, "35, 35, 1 numbers for 35 inputs"],
      [{ ...model, version: 2 }, "version"],
      [null, "the model"],
    ];
    for (const [given, said] of files) {
      expect(() => readComplexityModel(given, "model.json")).toThrow(said);
    }
  });

  it("refuses vectors of several lengths, and examples of one kind", async () => {
    const uneven = {
      ...embedder,
      doEmbed: async (texts: readonly string[]) => ({
        vectors: texts.map((_, index) => new Float32Array(index + 1)),
        usage: { promptTokens: 0 },
      }),
    };
    await expect(trainComplexityModel({ examples, embedder: uneven })).rejects.toMatchObject({
      code: "embedding-invalid",
    });
    const one = examples.slice(0, 2);
    await expect(trainComplexityModel({ examples: one, embedder })).rejects.toMatchObject({
      code: "dataset-invalid",
    });
  });
});
