/** Trains R2RAG's query classifier (section 3.1) on a user's copies of the published questions. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { complexityClassifier, trainComplexityModel } from "../programs/r2rag/index.ts";
import { localEmbedder } from "../src/cli/lm/local-package.ts";
import { mockModels } from "../src/cli/lm/rehearsal-package.ts";
import { foundServersFile, mockMark, parts, readServers } from "../src/servers/index.ts";
import { wilsonInterval } from "../src/statistics/index.ts";
import { writeFileAtomic } from "../src/storage/index.ts";
import type { ComplexityQuestion } from "../trainsets/complexity-questions.ts";
import { complexityQuestions } from "../trainsets/complexity-questions.ts";
import { refuse, scriptOptions } from "./support/script-options.ts";

const required = "--simple FILES --complex FILES --out FOLDER";
const help = {
  command: "npm run train:complexity",
  about: `Trains R2RAG's query classifier, a logistic regression, and writes model.json and held-out.jsonl.\nRequires ${required}. The folder is ESPALIER_COMPLEXITY_DIR of optimizers/experiments/r2rag-complexity.ts.`,
  options: {
    simple: {
      about: "Files of simple questions, separated by commas: TREC DL, Natural Questions",
      value: "FILES",
    },
    complex: {
      about: "Files of complex questions, such as Researchy Questions and TREC RAG",
      value: "FILES",
    },
    out: { about: "Folder to write", value: "FOLDER" },
    servers: {
      about: "Names the embedder (default ./espalier.servers.json)",
      value: "FILE",
    },
    c: { about: "Inverse strength of the penalty", value: "X", preset: "1" },
  },
};
const { values } = scriptOptions(help);
const [simple, complex, out] = [filesOf("simple"), filesOf("complex"), needed("out")];
const c = Number(values.c);
if (!(c > 0 && c < Infinity)) {
  refuse(`--c is not a number above 0. Got: ${values.c}.`, help);
}

try {
  const path = values.servers ?? foundServersFile();
  const servers = path === undefined ? undefined : await readServers(path);
  const embedder = parts({
    ...(await localEmbedder(servers)),
    environment: process.env,
    servers,
    mockModels: servers?.embedder === mockMark ? await mockModels() : undefined,
  }).embedder();
  const { train, heldOut, repeated, contradicted } = await complexityQuestions({ simple, complex });
  if (repeated > 0) console.error(`${repeated} repeated questions are left out.`);
  if (contradicted > 0) console.error(`${contradicted} questions of both kinds are left out.`);
  const model = await trainComplexityModel({ examples: train, embedder, c });
  const classifier = complexityClassifier({ model, embedder });
  const judgedOf = async (row: ComplexityQuestion) => {
    const { isComplex } = await classifier.doClassify(row.question, {});
    return { source: row.source, isRight: isComplex === row.isComplex };
  };
  const judged: Awaited<ReturnType<typeof judgedOf>>[] = [];
  for (let from = 0; from < heldOut.length; from += 64) {
    judged.push(...(await Promise.all(heldOut.slice(from, from + 64).map(judgedOf))));
  }
  await mkdir(out, { recursive: true });
  const lines = heldOut.map((row) => `${JSON.stringify(row)}\n`).join("");
  await writeFileAtomic(join(out, "held-out.jsonl"), lines);
  await writeFileAtomic(join(out, "model.json"), `${JSON.stringify(model)}\n`);

  const { examples, complex: positive } = model.training;
  console.log(`Trained on ${examples} questions, ${positive} complex: ${join(out, "model.json")}`);
  const constant = heldOut.map((row) => ({ isRight: row.isComplex === positive * 2 > examples }));
  console.log(`Held out: ${accuracyOf(judged)}; a constant answer: ${accuracyOf(constant)}`);
  for (const [source, rows] of Map.groupBy(judged, (row) => row.source)) {
    console.log(`  ${source}: ${accuracyOf(rows)}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function accuracyOf(rows: readonly { readonly isRight: boolean }[]): string {
  const right = rows.filter(({ isRight }) => isRight).length;
  const interval = wilsonInterval(right, rows.length);
  const range = interval && ` [${interval.low.toFixed(3)}, ${interval.high.toFixed(3)}]`;
  return `${(right / rows.length).toFixed(3)}${range ?? ""}, ${right} of ${rows.length} right`;
}

function needed(name: "simple" | "complex" | "out"): string {
  const value = values[name];
  if (value !== undefined && value !== "") return value;
  return refuse(`--${name} is missing. Expected: ${required}.`, help);
}

function filesOf(name: "simple" | "complex"): readonly string[] {
  return needed(name)
    .split(",")
    .map((file) => file.trim())
    .filter((file) => file !== "");
}
