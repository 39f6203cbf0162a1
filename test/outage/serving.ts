/** HANRAG over keywords: needs no models but the LM. */
import { corpus, bm25Index } from "espalier/retrieval";
import { chatModel, citationsOf, serving } from "espalier/serve";
import { hanrag } from "../../programs/hanrag/index.ts";
import { fourShelvesPassages } from "../../trainsets/four-shelves/index.ts";

const retriever = await bm25Index({
  path: ".espalier/passages.sqlite",
  corpus: corpus(await fourShelvesPassages()),
});

// oxlint-disable-next-line import/no-default-export -- a serving file is a default export
export default serving({
  name: "outage",
  models: [
    chatModel({
      id: "hanrag",
      program: hanrag({ retriever }),
      inputOf: ({ question }) => ({ question }),
      answerOf: ({ answer, passages }) => ({ answer, citations: citationsOf(passages) }),
    }),
  ],
});
