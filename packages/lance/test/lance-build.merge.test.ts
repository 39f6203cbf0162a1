import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type { Embedder } from "../../../src/index.ts";
import { lanceIndex } from "../src/index.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { thrownBy } from "../../../test/support/thrown-by.ts";
import { manyPassages } from "../../../test/retrieval/many-passages.ts";
import { shelf } from "../../../test/retrieval/shelf.ts";

function countingEmbedder(): Embedder & { readonly texts: readonly string[] } {
  const texts: string[] = [];
  return {
    texts,
    identity: { provider: "test", model: "lengths" },
    doEmbed: async (given) => {
      texts.push(...given);
      const vectors = given.map((text) => Float32Array.of(text.length, text.charCodeAt(0), 1));
      return { vectors, usage: { promptTokens: 0 } };
    },
  };
}

it("goes on where an ended build stopped, and finds what a whole one finds", async () => {
  await using folder = await temporaryFolder();
  const corpus = manyPassages().slice(0, 20_000);
  const uri = join(folder.path, "ended");
  const controller = new AbortController();
  const ended = lanceIndex({
    uri,
    corpus,
    signal: controller.signal,
    onProgress: ({ done }) => {
      if (done > 0) controller.abort(new Error("enough"));
    },
  });
  await expect(ended).rejects.toThrow("enough");
  const unfinished = await thrownBy(() => lanceIndex({ uri }));
  expect(unfinished).toMatchObject({ code: "index-unusable" });
  const started: number[] = [];
  await using index = await lanceIndex({
    uri,
    corpus,
    onProgress: ({ done }) => started.push(done),
  });
  expect(started[0]).toBe(16_384);
  await using fresh = await lanceIndex({ uri: join(folder.path, "fresh"), corpus });
  for (const query of ["harbour17", "brick3 harbour19999", "common salt2"]) {
    const found = await index.doRetrieve({ query, k: 30 }, {});
    expect(found).toEqual(await fresh.doRetrieve({ query, k: 30 }, {}));
    expect(found.length).toBeGreaterThan(0);
  }
});

it("is built where a killed one left a table without its first version", async () => {
  await using folder = await temporaryFolder();
  const uri = join(folder.path, "lance");
  await mkdir(join(uri, "corpus.lance", "data"), { recursive: true });
  expect((await thrownBy(() => lanceIndex({ uri }))).message).toContain("Got: nothing");
  await using index = await lanceIndex({ uri, corpus: shelf });
  expect(index.size).toBe(shelf.length);
});

it("refuses another corpus, and a place without an index", async () => {
  await using folder = await temporaryFolder();
  const uri = join(folder.path, "lance");
  const empty = await thrownBy(() => lanceIndex({ uri }));
  expect(empty.message).toContain("Got: nothing");
  await (await lanceIndex({ uri, corpus: shelf }))[Symbol.asyncDispose]();
  const other = await thrownBy(() => lanceIndex({ uri, corpus: shelf.slice(1) }));
  expect(other.message).toContain("the index of another corpus");
});

it("embeds each passage once, and opens again without a call", async () => {
  await using folder = await temporaryFolder();
  const place = { uri: join(folder.path, "lance"), corpus: shelf };
  const embedder = countingEmbedder();
  await (await lanceIndex({ ...place, embedder }))[Symbol.asyncDispose]();
  expect(new Set(embedder.texts).size).toBe(28);
  const later = countingEmbedder();
  await using _index = await lanceIndex({ ...place, embedder: later });
  expect(later.texts).toEqual([]);
});

it("is built by one of two processes, while the other waits, and again after a kill of the first", async () => {
  await using folder = await temporaryFolder();
  const uri = join(folder.path, "lance");
  const builder = (): { readonly kill: () => void; readonly built: Promise<Built> } => {
    const child = spawn(
      process.execPath,
      ["--conditions=espalier:source", resolve(import.meta.dirname, "build-lance.ts"), uri],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const built = async (): Promise<Built> => {
      const [printed] = await Promise.all([text(child.stdout), once(child, "exit")]);
      return printed === "" ? null : (JSON.parse(printed) as Built);
    };
    return { kill: () => child.kill("SIGKILL"), built: built() };
  };
  const first = builder();
  await expect.poll(() => existsSync(join(uri, "espalier.lock"))).toBe(true);
  first.kill();
  expect(await first.built).toBeNull();
  const both = await Promise.all([builder().built, builder().built]);
  const counts = both.map((built) => built?.embedded ?? -1).toSorted((left, right) => left - right);
  // Whoever comes second finds all that is stored.
  expect(counts[0]).toBe(0);
  expect(counts[1]).toBeGreaterThan(0);
  expect(counts[1]).toBeLessThanOrEqual(20_000);
  for (const built of both) expect(built?.found).toEqual(both[0]?.found);
  expect(both[0]?.found).toHaveLength(5);
  await using index = await lanceIndex({ uri });
  expect(index.size).toBe(20_000);
});

type Built = { readonly embedded: number; readonly found: readonly unknown[] } | null;

it("refuses a second builder in an object store when it has written, too", async () => {
  await using folder = await temporaryFolder();
  // LanceDB reaches it as it reaches a bucket, and no lock is taken.
  const place = { uri: pathToFileURL(join(folder.path, "lance")).href, corpus: shelf };
  await (await lanceIndex(place))[Symbol.asyncDispose]();
  const quick = countingEmbedder();
  const overtaken: Embedder = {
    identity: quick.identity,
    doEmbed: async (texts, options) => {
      await (await lanceIndex({ ...place, embedder: quick }))[Symbol.asyncDispose]();
      return countingEmbedder().doEmbed(texts, options);
    },
  };
  const error = await thrownBy(() => lanceIndex({ ...place, embedder: overtaken, concurrency: 1 }));
  expect(error).toMatchObject({ code: "index-unusable" });
  expect(error.message).toContain("Another process is building the same index");
  await using _index = await lanceIndex({ ...place, embedder: countingEmbedder() });
});
