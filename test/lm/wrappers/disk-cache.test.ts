import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import type { LmReply } from "../../../src/contract/index.ts";
import { EspalierError } from "../../../src/errors/index.ts";
import { diskCache } from "../../../src/lm/index.ts";
import { sha256 } from "../../../src/internal/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const reply: LmReply = {
  content: "two\nlines, “quoted”",
  reasoning: null,
  finishReason: "stop",
  usage: { promptTokens: 1, completionTokens: 2, cachedPromptTokens: null, reasoningTokens: 0 },
  logprobs: [{ token: "a", logprob: -0.123456789012345, top: [] }],
  model: "m",
  latencyMs: 12.5,
  source: "server",
};

function problemOf(open: () => unknown): EspalierError {
  try {
    open();
  } catch (error) {
    if (EspalierError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("The file was accepted.");
}

describe("a disk cache", () => {
  it("gives back after reopening what was kept, unchanged", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "new", "folder", "replies.sqlite");
    {
      await using cache = diskCache(path);
      cache.set(sha256("k"), reply);
    }
    await using cache = diskCache(path);
    expect(cache.get(sha256("k"))).toEqual(reply);
    expect(cache.get(sha256("other"))).toBeUndefined();
    expect(cache.size).toBe(1);
  });

  it("keeps the first reply of a key", async () => {
    await using cache = diskCache(":memory:");
    cache.set(sha256("k"), reply);
    cache.set(sha256("k"), { ...reply, content: "later" });
    expect(cache.get(sha256("k"))?.content).toBe(reply.content);
  });

  it("is shared by processes that open and fill it at the same time", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "replies.sqlite");
    const script = join(import.meta.dirname, "fill-cache.ts");
    const children = ["a", "b", "c"].map((name) =>
      spawn(process.execPath, ["--conditions=espalier:source", script, path, name], {
        stdio: ["ignore", "ignore", "pipe"],
      }),
    );
    const ends = await Promise.all(children.map((child) => once(child, "exit")));
    expect(ends.map(([code]) => code)).toEqual([0, 0, 0]);
    await using cache = diskCache(path);
    expect(cache.size).toBe(100 + 3 * 100);
    expect(cache.get(sha256("b/99"))?.content).toBe("b/99");
  });

  it("refuses a file that is no database, and leaves it alone", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "notes.txt");
    await writeFile(path, "my notes, which are longer than a database header would be".repeat(20));
    const before = await readFile(path);
    expect(problemOf(() => diskCache(path))).toMatchObject({ code: "cache-unusable" });
    expect(await readFile(path)).toEqual(before);
  });

  it("refuses another program's database", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "other.sqlite");
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE people (name TEXT)");
    other.close();
    const error = problemOf(() => diskCache(path));
    expect(error.code).toBe("cache-unusable");
    expect(error.message).toContain("Got: another program's database.");
  });

  it("refuses a cache of another version", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "replies.sqlite");
    await diskCache(path)[Symbol.asyncDispose]();
    const database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 99");
    database.close();
    expect(problemOf(() => diskCache(path)).message.replace(folder.path, "FOLDER")).toBe(
      "The cache file is not one that this version can use (at FOLDER/replies.sqlite). " +
        "Expected: cache version 1. Got: cache version 99. " +
        "Name another file, or remove this one if it is an old cache.",
    );
  });

  it.each([
    ['{"content": ', "reply: expected an object"],
    ["null", "reply: expected an object"],
    [{ ...reply, content: 3 }, "reply.content: expected a text"],
    [{ ...reply, finishReason: "__proto__" }, 'reply.finishReason: expected "stop"'],
    [
      { ...reply, usage: { ...reply.usage, promptTokens: -1e9 } },
      "promptTokens: expected a number",
    ],
    [{ ...reply, latencyMs: "1" }, "reply.latencyMs: expected a number of at least 0"],
    [{ ...reply, toolCalls: [null] }, "reply.toolCalls.0: expected an object"],
  ])("reports a reply that is damaged, with its key: %j", async (damaged, told) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "replies.sqlite");
    await using cache = diskCache(path);
    const database = new DatabaseSync(path);
    const key = sha256("k");
    const json = typeof damaged === "string" ? damaged : JSON.stringify(damaged);
    database
      .prepare("INSERT INTO replies (key, reply) VALUES (?, ?)")
      .run(Buffer.from(key, "hex"), json);
    database.close();
    const error = problemOf(() => cache.get(key));
    expect(error.code).toBe("cache-unusable");
    expect(error.message).toContain(`under key ${key} is damaged: `);
    expect(error.message).toContain(told);
  });

  it("reports a folder that cannot be made", () => {
    expect(problemOf(() => diskCache("/dev/null/replies.sqlite")).code).toBe("cache-unusable");
  });
});
