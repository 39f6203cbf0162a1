/** Builds an index in the folder that is named, and prints what it embedded and found. */
import { lanceIndex } from "../src/index.ts";
import { manyPassages } from "../../../test/retrieval/many-passages.ts";

const [, , uri = ""] = process.argv;
let embedded = 0;
await using index = await lanceIndex({
  uri,
  corpus: manyPassages().slice(0, 20_000),
  embedder: {
    identity: { provider: "test", model: "lengths" },
    doEmbed: async (given) => {
      embedded += given.length;
      const vectors = given.map((text) => Float32Array.of(text.length, text.charCodeAt(0), 1));
      return { vectors, usage: { promptTokens: 0 } };
    },
  },
});
const found = await index.keyword.doRetrieve({ query: "harbour17 salt2", k: 5 }, {});
process.stdout.write(JSON.stringify({ embedded, found }));
