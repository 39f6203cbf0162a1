import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { connectEmbedder, connectTokenizer } from "espalier/lm";
import { expect } from "vitest";
import { z } from "zod";
import { thrownBy } from "../../support/thrown-by.ts";
import { test } from "../support/vllm-test.ts";

const once = { retry: { attempts: 1 } };
const texts = ["A lighthouse stands on the rock.", "Trains run on time.", "Ünï 😀"];

test("each text has a vector of length 1, the same in both encodings", async ({ minilm }) => {
  const base64 = await connectEmbedder({ ...minilm, ...once }).doEmbed(texts);
  const float = await connectEmbedder({ ...minilm, ...once, encoding: "float" }).doEmbed(texts);
  expect(base64.vectors).toHaveLength(3);
  expect(new Set(base64.vectors.map(({ length }) => length)).size).toBe(1);
  for (const vector of base64.vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 3);
  expect(float.vectors).toEqual(base64.vectors);
  expect(base64.usage.promptTokens).toBeGreaterThan(10);
});

const reference = z.object({
  rows: z.array(
    z.object({ text: z.string(), first: z.array(z.number()), cosines: z.array(z.number()) }),
  ),
});

// One of the texts is longer than the model reads.
test("vectors and cosines are those of sentence-transformers", async ({ minilm, skip }) => {
  skip(!minilm.isTrained, "no trained weights");
  const file = resolve("packages/local/test/fixtures/minilm.json");
  const { rows } = reference.parse(JSON.parse(await readFile(file, "utf8")));
  const embedder = connectEmbedder({ ...minilm, ...once, truncatePromptTokens: -1 });
  const { vectors } = await embedder.doEmbed(rows.map(({ text }) => text));
  for (const [index, { first, cosines }] of rows.entries()) {
    const vector = vectors[index]!;
    expect(farthest(vector.slice(0, first.length), first)).toBeLessThan(0.005);
    expect(
      farthest(
        vectors.map((other) => cosine(vector, other)),
        cosines,
      ),
    ).toBeLessThan(0.01);
  }
});

test("many texts are in order, whatever the size of a batch", async ({ minilm }) => {
  const many = Array.from({ length: 200 }, (_, index) => `text ${index}`);
  const { vectors } = await connectEmbedder({ ...minilm, ...once }).doEmbed(many);
  expect(vectors).toHaveLength(200);
  const [alone] = (await connectEmbedder({ ...minilm, ...once }).doEmbed(["text 177"])).vectors;
  expect(cosine(vectors[177]!, alone!)).toBeGreaterThan(0.999);
});

// This tokenizer puts a token before and one behind every text.
test("a tokenizer counts the text alone, without special tokens", async ({ minilm }) => {
  const [yes, nothing, twice] = await connectTokenizer(minilm).countTokens(["yes", "", "yes yes"]);
  expect([yes, nothing, twice]).toEqual([1, 0, 2]);
  const { usage } = await connectEmbedder({ ...minilm, ...once }).doEmbed(["yes yes"]);
  expect(usage.promptTokens).toBe(4);
});

test("too long a text is a context overflow, not blamed on `maxCompletionTokens`", async ({
  minilm,
}) => {
  const error = await thrownBy(() =>
    connectEmbedder({ ...minilm, ...once }).doEmbed(["word ".repeat(2000)]),
  );
  expect(error.code).toBe("lm-context-overflow");
  // An embedder completes nothing.
  expect(error.message).not.toContain("maxCompletionTokens");
});

type Vector = Float32Array | readonly number[];

function cosine(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * other[index]!, 0);
}

function farthest(some: Vector, others: Vector): number {
  return Math.max(...Array.from(some, (value, index) => Math.abs(value - others[index]!)));
}
