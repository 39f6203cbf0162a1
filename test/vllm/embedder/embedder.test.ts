import { connectEmbedder } from "espalier/lm";
import { expect } from "vitest";
import { thrownBy } from "../../support/thrown-by.ts";
import { test } from "../support/vllm-test.ts";

const once = { retry: { attempts: 1 } };
const texts = ["A lighthouse stands on the rock.", "Trains run on time.", "Ünï 😀"];

test("each text has a vector of length 1, the same in both encodings", async ({ embedder }) => {
  const base64 = await connectEmbedder({ ...embedder, ...once }).doEmbed(texts);
  const float = await connectEmbedder({ ...embedder, ...once, encoding: "float" }).doEmbed(texts);
  expect(base64.vectors).toHaveLength(3);
  for (const vector of base64.vectors) {
    expect(vector).toHaveLength(96);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 3);
  }
  expect(float.vectors).toEqual(base64.vectors);
  expect(base64.usage.promptTokens).toBeGreaterThan(10);
});

test("many texts are in order, whatever the size of a batch", async ({ embedder }) => {
  const many = Array.from({ length: 200 }, (_, index) => `text ${index}`);
  const { vectors } = await connectEmbedder({ ...embedder, ...once }).doEmbed(many);
  expect(vectors).toHaveLength(200);
  const [alone] = (await connectEmbedder({ ...embedder, ...once }).doEmbed(["text 177"])).vectors;
  const cosine = vectors[177]!.reduce((sum, value, index) => sum + value * alone![index]!, 0);
  expect(cosine).toBeGreaterThan(0.999);
});

test("too long a text is a context overflow", async ({ embedder }) => {
  const error = await thrownBy(() =>
    connectEmbedder({ ...embedder, ...once }).doEmbed(["word ".repeat(2000)]),
  );
  expect(error.code).toBe("lm-context-overflow");
});

// An embedder completes nothing.
test("too long a text is not blamed on `maxCompletionTokens`", async ({ embedder }) => {
  const error = await thrownBy(() =>
    connectEmbedder({ ...embedder, ...once }).doEmbed(["word ".repeat(2000)]),
  );
  expect(error.message).not.toContain("maxCompletionTokens");
});
