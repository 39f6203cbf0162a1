/** Builds an index of many passages until it is killed: `build-many-passages.ts URL`. */
import { postgresIndex } from "../src/index.ts";
import { manyPassages } from "../../../test/retrieval/many-passages.ts";

await using _index = await postgresIndex({
  url: process.argv[2] ?? "",
  corpus: manyPassages(),
  onProgress: ({ done }) => process.stdout.write(`block ${Math.floor(done / 16_384) + 1}\n`),
});
