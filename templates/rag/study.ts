import { join } from "node:path";
import { study } from "espalier";
import { scored, tokenF1Of } from "espalier/metric";
import { bm25Index } from "espalier/retrieval";
import { readExamples, trainset } from "espalier/trainset";
import { z } from "zod";
import { readDocuments } from "./documents.ts";
import { rag, writeQuery } from "./rag.ts";

const folder = import.meta.dirname;
// In memory. With many documents, `path: "documents.sqlite"` keeps the index between runs.
const retriever = await bm25Index({ corpus: await readDocuments(join(folder, "documents")) });

const examples = (split: string) =>
  readExamples(join(folder, "examples", `${split}.jsonl`), {
    input: writeQuery.input,
    labels: {
      answer: z.string().describe("A good answer."),
      file: z.string().describe("The file that holds it."),
    },
  });

export default study({
  name: "rag",
  program: rag(retriever),
  trainset: trainset({
    name: "library-questions",
    version: "1",
    licence: "CC0-1.0",
    source: "own writing",
    // Reflection reads train, candidates are compared on val, and only the last report uses test.
    splits: {
      train: await examples("train"),
      val: await examples("val"),
      test: await examples("test"),
    },
  }),
  objective: {
    name: "answer-f1",
    version: "1",
    // How many words the answer shares with a good one (F1). Where the search did not find the
    // file, the query is to blame, and the step that answers is left alone.
    score: ({ output, example }) => {
      const { answer, file } = example.labels;
      const isFound = output.passages.some(({ id }) => id.startsWith(`${file}#`));
      return scored(
        tokenF1Of(output.answer, [answer]),
        `A good answer: ${answer}`,
        isFound ? [] : [{ path: "query", score: 0, text: `The search did not find ${file}.` }],
        { found: isFound ? 1 : 0 },
      );
    },
  },
});
