import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { afterAll, describe, expect, test } from "vitest";
import { ledger } from "../../../src/lm/index.ts";
import { runCli } from "../../../test/support/run-cli.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { smallEmbedder, smallModel } from "../../../test/support/trained-model.ts";
import { connectLocal, connectLocalEmbedder } from "../src/index.ts";

const path = await smallEmbedder();

const referenceFile = z.object({
  rows: z.array(
    z.object({
      text: z.string(),
      tokens: z.int(),
      norm: z.number(),
      first: z.array(z.number()),
      cosines: z.array(z.number()),
    }),
  ),
});
const { rows } = referenceFile.parse(
  JSON.parse(await readFile(join(import.meta.dirname, "fixtures/minilm.json"), "utf8")),
);
const texts = rows.map(({ text }) => text);

describe.skipIf(path === null)("all-MiniLM-L6-v2 inside the process", async () => {
  if (path === null) return;
  const costs = ledger();
  const embedder = await connectLocalEmbedder({ model: path, ledger: costs });
  afterAll(() => embedder[Symbol.asyncDispose]());

  test("vectors are those of sentence-transformers, accents, scripts and long texts too", async () => {
    const { vectors } = await embedder.doEmbed(texts);
    for (const [index, { norm, first, cosines }] of rows.entries()) {
      const vector = vectors[index]!;
      expect(dot(vector, vector)).toBeCloseTo(norm ** 2, 5);
      expect(farthest(vector.slice(0, 16), first)).toBeLessThan(0.001);
      const ours = vectors.map((other) => dot(vector, other));
      expect(farthest(ours, cosines)).toBeLessThan(0.001);
    }
  });

  test("counts the tokens that it reads, 256 of a text", async () => {
    const counts: (number | null)[] = [];
    for (const text of texts) {
      counts.push((await embedder.doEmbed([text])).usage.promptTokens);
    }
    expect(counts).toEqual(rows.map(({ tokens }) => tokens));
    expect(Math.max(...counts.map(Number))).toBe(256);
    expect(costs.snapshot()).toHaveProperty("byRole.embedding.billed.calls");
  });

  test("a text's vector does not depend on the texts beside it", async () => {
    const alone = await embedder.doEmbed(texts.slice(0, 1));
    const calls = texts.map((_, index) => embedder.doEmbed(texts.slice(0, index + 1)));
    for (const { vectors } of await Promise.all(calls))
      expect(vectors[0]).toEqual(alone.vectors[0]);
  });

  test("no texts have no vectors", async () => {
    expect(await embedder.doEmbed([])).toEqual({ vectors: [], usage: { promptTokens: 0 } });
  });

  test("an abort ends a call at once, and the next one works", async () => {
    const stop = new AbortController();
    const many = Array.from({ length: 20_000 }, (_, index) => `Boat number ${index}`);
    const call = embedder.doEmbed(many, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    const aborted = embedder.doEmbed(["a"], { signal: AbortSignal.abort(new Error("before")) });
    await expect(aborted).rejects.toThrow("before");
    expect((await embedder.doEmbed(["One more"])).vectors).toHaveLength(1);
  });

  test("its identity names the weights by their hash", () => {
    expect(embedder.identity).toEqual({
      provider: "local",
      model: "all-minilm-l6-v2@79e799d4ce9e",
    });
  });

  test("it is no language model", async () => {
    await expect(connectLocal({ model: path })).rejects.toMatchObject({
      code: "option-invalid",
      message: expect.stringContaining("connectLocalEmbedder()"),
    });
  });

  test("a language model is no embedder", async () => {
    const other = await smallModel();
    if (other === null) return;
    await expect(connectLocalEmbedder({ model: other })).rejects.toMatchObject({
      code: "option-invalid",
      message: expect.stringContaining("connectLocal()"),
    });
  });

  test("a servers file names it, and `espalier servers` tries it", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "servers.json");
    await writeFile(
      file,
      JSON.stringify({ format: "espalier-servers/1", embedder: "local:minilm-l6" }),
    );
    const env = { ESPALIER_MODELS: dirname(path) };
    const { stdout, code } = await runCli(["servers", "--servers", file], { env });
    expect(stdout).toContain("embedder  local:minilm-l6\n");
    expect(stdout).toContain("embedder  works  384 dimensions");
    expect(code).toBe(0);
  });
});

function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}

function farthest(ours: ArrayLike<number>, theirs: readonly number[]): number {
  return Math.max(...theirs.map((value, index) => Math.abs(value - (ours[index] ?? Number.NaN))));
}
