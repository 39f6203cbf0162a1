import { join } from "node:path";
import { readFile } from "node:fs/promises";
import type { Study } from "espalier";
import { study } from "espalier";
import type { Parts } from "espalier/servers";
import { scored } from "espalier/metric";
import { trainset } from "espalier/trainset";
import type { ComplexityClassifier } from "../../programs/r2rag/index.ts";
import {
  complexityClassifier,
  complexityRouter,
  readComplexityModel,
} from "../../programs/r2rag/index.ts";
import { readHeldOut } from "../../trainsets/complexity-questions.ts";
import { dataFolder } from "./data-folder.ts";

/** The classifier from `npm run train:complexity`, with the embedder that it was trained with. */
export async function trainedComplexity(parts: Parts): Promise<ComplexityClassifier> {
  const path = join(trainedFolder(), "model.json");
  const model = readComplexityModel(JSON.parse(await readFile(path, "utf8")), path);
  return complexityClassifier({ model, embedder: parts.embedder() });
}

/** The router alone, on the questions that were held out from the training. */
export async function routerOnHeldOut(complexity?: ComplexityClassifier): Promise<Study> {
  const rows = await readHeldOut(join(trainedFolder(), "held-out.jsonl"));
  return study({
    name: "r2rag-complexity",
    program: complexityRouter(complexity === undefined ? {} : { complexity }),
    trainset: trainset({
      name: "complexity-held-out",
      version: "1",
      source: "held out by `npm run train:complexity`",
      splits: {
        test: rows.map(({ id, question, ...labels }) => ({ id, input: { question }, labels })),
      },
    }),
    objective: {
      name: "accuracy",
      version: "1",
      score: ({ output, example: { labels } }) =>
        output.isComplex === labels.isComplex
          ? scored(1, "Right.")
          : scored(0, `The question is ${labels.isComplex ? "complex" : "simple"}.`),
    },
  });
}

function trainedFolder(): string {
  return dataFolder(
    "ESPALIER_COMPLEXITY_DIR",
    "the folder that `npm run train:complexity` wrote, with model.json and held-out.jsonl",
  );
}
