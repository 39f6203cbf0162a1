import { statSync } from "node:fs";
import { join } from "node:path";
import { bm25Index, denseIndex, hybrid } from "espalier/retrieval";
import type { Contender } from "./contender.ts";
import { inSeconds } from "./contender.ts";

/** The embedded index: FTS5, and every vector compared in memory. */
export function sqliteContender(folder: string): Contender {
  return {
    name: "SQLite",
    build: async ({ corpus, embedder, place }) => {
      const stack = new AsyncDisposableStack();
      const file = { path: join(folder, `${place}.sqlite`), corpus };
      const [keyword, keywordSeconds] = await inSeconds(() => bm25Index(file));
      stack.use(keyword);
      const keywordBytes = statSync(file.path).size;
      const built = {
        keywordSeconds,
        keywordBytes,
        [Symbol.asyncDispose]: () => stack.disposeAsync(),
      };
      if (embedder === undefined) return { ...built, retrievers: { keyword } };
      const [dense, denseSeconds] = await inSeconds(() => denseIndex({ ...file, embedder }));
      stack.use(dense);
      return {
        ...built,
        denseSeconds,
        denseBytes: statSync(file.path).size - keywordBytes,
        retrievers: { keyword, dense, hybrid: hybrid({ retrievers: [keyword, dense] }) },
      };
    },
  };
}
