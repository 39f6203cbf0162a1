/** Builds a keyword index of 100,000 passages in the folder that is named; prints what it found. */
import { lanceIndex } from "../src/index.ts";
import { madePassages } from "../../../test/bench/support/retrieval/made-passages.ts";

const [, , uri = ""] = process.argv;
const corpus = [...madePassages(100_000)];
await using index = await lanceIndex({ uri, corpus });
const { text = "" } = corpus[70_000] ?? {};
const found = await index.keyword.doRetrieve({ query: text, k: 1 }, {});
process.stdout.write(JSON.stringify(found.map(({ id }) => id)));
