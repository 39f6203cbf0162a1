import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { lanceIndex } from "../../src/index.ts";
import type { Contender } from "../../../../test/bench/support/retrieval/contender.ts";
import { inSeconds } from "../../../../test/bench/support/retrieval/contender.ts";

export function lanceContender(folder: string): Contender {
  return {
    name: "LanceDB",
    build: async ({ corpus, embedder, place }) => {
      const given = { uri: join(folder, `${place}.lance`), corpus };
      const [keyword, keywordSeconds] = await inSeconds(() => lanceIndex(given));
      const keywordBytes = bytesIn(given.uri);
      const built = { keywordSeconds, keywordBytes };
      if (embedder === undefined) {
        return {
          ...built,
          retrievers: { keyword },
          [Symbol.asyncDispose]: () => keyword[Symbol.asyncDispose](),
        };
      }
      await keyword[Symbol.asyncDispose]();
      const [index, denseSeconds] = await inSeconds(() =>
        lanceIndex({ ...given, embedder, batchSize: 500 }),
      );
      const { dense } = index;
      return {
        ...built,
        denseSeconds,
        denseBytes: bytesIn(given.uri) - keywordBytes,
        retrievers: { keyword: index.keyword, ...(dense && { dense }), hybrid: index },
        [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
      };
    },
  };
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
