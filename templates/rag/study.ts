import { join } from "node:path";
import { study } from "espalier";
import { bm25Index } from "espalier/retrieval";
import { readExamples, trainset } from "espalier/trainset";
import { z } from "zod";
import { readDocuments } from "./documents.ts";
import { answerF1 } from "./metric.ts";
import { rag, writeQuery } from "./rag.ts";

const folder = import.meta.dirname;
// In memory. With many documents, `path: "documents.sqlite"` keeps the index between runs.
const retriever = await bm25Index({ corpus: await readDocuments(join(folder, "documents")) });

const examples = (split: string) =>
  readExamples(join(folder, "examples", `${split}.jsonl`), {
    input: writeQuery.input,
    labels: { answer: z.string(), file: z.string() },
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
  objective: answerF1,
});
