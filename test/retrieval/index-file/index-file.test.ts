import { spawn } from "node:child_process";
import { stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import type { IndexProgress } from "espalier/retrieval";
import { bm25Index, denseIndex } from "espalier/retrieval";
import { rehearsalEmbedder } from "@espalier/rehearsal";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { shelf } from "../shelf.ts";

const repository = resolve(import.meta.dirname, "../../..");
const many = Array.from({ length: 12_000 }, (_, index) => ({
  id: `p${index}`,
  text: `number ${index} of ${index % 97} and ${index % 1_009}`,
}));

async function indexPath() {
  const folder = await temporaryFolder();
  return {
    path: join(folder.path, "deep", "index.sqlite"),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function open(...args: Parameters<typeof bm25Index>): Promise<readonly IndexProgress[]> {
  const events: IndexProgress[] = [];
  await using _ = await bm25Index({ ...args[0], onProgress: (event) => events.push(event) });
  return events;
}

describe("an index file", () => {
  it("is built once: the same corpus, in any order, builds nothing again", async () => {
    await using file = await indexPath();
    const first = await open({ path: file.path, corpus: many });
    expect(first.at(0)).toEqual({ step: "index", done: 0, total: 12_000 });
    expect(first.at(-1)).toEqual({ step: "index", done: 12_000, total: 12_000 });
    const built = await stat(file.path);
    expect(await open({ path: file.path, corpus: many.toReversed() })).toEqual([]);
    expect(await open({ path: file.path })).toEqual([]);
    expect((await stat(file.path)).mtimeMs).toBe(built.mtimeMs);
  });

  it("refuses another corpus, and keeps the one it holds", async () => {
    await using file = await indexPath();
    await open({ path: file.path, corpus: shelf });
    const { code, message } = await thrownBy(() => open({ path: file.path, corpus: many }));
    expect(`${code}: ${withoutDetails(message, file.path)}`).toMatchInlineSnapshot(
      `"index-unusable: The file holds the index of another corpus (at index.sqlite). Expected: 12000 passages, checksum (hash). Got: 28 passages, checksum (hash). Choose another file, or remove this one to rebuild the index."`,
    );
    expect(await open({ path: file.path, corpus: shelf })).toEqual([]);
  });

  it("refuses files that are something else", async () => {
    await using file = await indexPath();
    const nothing = await thrownBy(() => open({ path: file.path }));
    expect(`${nothing.code}: ${withoutDetails(nothing.message, file.path)}`).toMatchInlineSnapshot(
      `"file-missing: There is neither an index to open nor a corpus to build one from (at index.sqlite). Pass a corpus, or correct the path of the index."`,
    );

    await using folder = await temporaryFolder();
    const text = join(folder.path, "text.sqlite");
    await writeFile(text, "This is not a database, whatever its name may say. ".repeat(40));
    const foreign = join(folder.path, "foreign.sqlite");
    using database = new DatabaseSync(foreign);
    database.exec("CREATE TABLE notes (text TEXT)");
    const later = join(folder.path, "later.sqlite");
    await open({ path: later, corpus: shelf });
    using newer = new DatabaseSync(later);
    newer.exec("PRAGMA user_version = 99");

    for (const path of [text, foreign, later]) {
      for (const corpus of [undefined, shelf]) {
        const given = corpus === undefined ? { path } : { path, corpus };
        const error = await thrownBy(() => open(given));
        expect(error.code).toBe("index-unusable");
        expect(withoutDetails(error.message, path)).toMatchSnapshot();
      }
    }
    expect(database.prepare("SELECT count(*) AS tables FROM sqlite_master").get()).toEqual({
      tables: 1,
    });
  });

  it("keeps nothing when its building is aborted, and is then built whole", async () => {
    await using file = await indexPath();
    const controller = new AbortController();
    const reason = new Error("enough");
    const building = bm25Index({
      path: file.path,
      corpus: many,
      signal: controller.signal,
      onProgress: ({ done }) => done >= 5_000 && controller.abort(reason),
    });
    await expect(building).rejects.toBe(reason);
    expect(await thrownBy(() => open({ path: file.path }))).toMatchObject({
      code: "index-unusable",
    });
    await using index = await bm25Index({ path: file.path, corpus: many });
    expect(index.inspect().size).toBe(12_000);
  });

  it("keeps nothing when the process that builds it is killed, and is then built whole", async () => {
    await using file = await indexPath();
    const child = spawn(
      process.execPath,
      [
        "--conditions=espalier:source",
        "--input-type=module",
        "--eval",
        `import { bm25Index } from "espalier/retrieval";
         const corpus = Array.from({ length: 200_000 }, (_, index) => ({ id: "p" + index, text: "number " + index }));
         await bm25Index({ path: ${JSON.stringify(file.path)}, corpus, onProgress: ({ done }) => process.stdout.write(done + "\\n") });`,
      ],
      { cwd: repository, stdio: ["ignore", "pipe", "inherit"] },
    );
    const ended = new Promise((done) => child.once("close", (_, signal) => done(signal)));
    for await (const chunk of child.stdout) {
      if (Number(String(chunk).trim().split("\n").at(-1)) >= 20_000) child.kill("SIGKILL");
    }
    expect(await ended).toBe("SIGKILL");
    expect(await thrownBy(() => open({ path: file.path }))).toMatchObject({
      code: "index-unusable",
    });
    await using index = await bm25Index({ path: file.path, corpus: many });
    const found = await index.doRetrieve({ query: "11999", k: 5 }, {});
    expect(found.map(({ id }) => id)).toEqual(["p11999"]);
  });

  it("is built by one of many that open it at once, indexes of both kinds, without a deadlock", async () => {
    await using file = await indexPath();
    const { path } = file;
    const opened = await Promise.all([
      bm25Index({ path, corpus: many }),
      denseIndex({ path, corpus: many, embedder: rehearsalEmbedder({ dimensions: 16 }) }),
      bm25Index({ path, corpus: many }),
    ]);
    for (const index of opened) {
      expect(await index.doRetrieve({ query: "number 11999", k: 1 }, {})).toHaveLength(1);
      await index[Symbol.asyncDispose]();
    }
    await using index = await bm25Index({ path });
    expect(index.inspect()).toMatchObject({
      size: 12_000,
      embeddings: [{ provider: "rehearsal", dimension: 16, embedded: 12_000 }],
    });
  });
});

function withoutDetails(message: string, path: string): string {
  return message
    .replaceAll(path, "index.sqlite")
    .replaceAll(/checksum [0-9a-f]{12}/g, "checksum (hash)");
}
