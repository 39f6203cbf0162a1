/**
 * Builds HANRAG's compound benchmark from a corpus, with any LM behind an OpenAI-compatible API.
 */
import { connect } from "espalier/lm";
import { readCorpus } from "espalier/retrieval";
import { buildCompoundQuestions } from "./compound-questions/build-compound-questions.ts";
import { refuse, scriptOptions } from "./support/script-options.ts";

const required = "--corpus FILE --out FOLDER --lm URL --model NAME";
const help = {
  command: "npm run build:compound-questions",
  about: `Builds HANRAG's compound benchmark from a corpus. Run it again with the same options to resume.\nRequires ${required}.`,
  options: {
    corpus: {
      about: "JSONL, one { id, title, text } per line, optionally gzipped; each title is an entity",
      value: "FILE",
    },
    out: { about: "Folder for the benchmark and its progress file", value: "FOLDER" },
    lm: {
      about: "Base URL of an OpenAI-compatible server; ESPALIER_API_KEY holds its key",
      value: "URL",
    },
    model: { about: "Model to use", value: "NAME" },
    entities: { about: "Entities to ask about", value: "N", preset: "100" },
    documents: { about: "Passages shown per entity", value: "N", preset: "10" },
    "per-entity": { about: "Compound questions per entity", value: "N", preset: "1" },
    "dev-share": {
      about: "Share of entities whose questions go to dev",
      value: "X",
      preset: "0.2",
    },
    "test-share": {
      about: "Share of entities whose questions go to test",
      value: "X",
      preset: "0",
    },
    concurrency: { about: "Entities processed concurrently", value: "N", preset: "4" },
    seed: { about: "Seed of all random draws", value: "N", preset: "0" },
  },
};
const { values } = scriptOptions(help);

try {
  const concurrency = Number(values.concurrency);
  const apiKey = process.env["ESPALIER_API_KEY"];
  await using lm = connect({
    baseUrl: needed("lm"),
    model: needed("model"),
    concurrency: Number.isSafeInteger(concurrency) && concurrency > 0 ? 4 * concurrency : 1,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  const stopping = new AbortController();
  process.once("SIGINT", () => stopping.abort());
  const summary = await buildCompoundQuestions({
    corpus: await readCorpus(needed("corpus")),
    lm,
    folder: needed("out"),
    entities: Number(values.entities),
    documents: Number(values.documents),
    perEntity: Number(values["per-entity"]),
    devShare: Number(values["dev-share"]),
    testShare: Number(values["test-share"]),
    concurrency,
    seed: Number(values.seed),
    signal: stopping.signal,
    onEntity: ({ entity, rows, refused }, done, all) => {
      console.error(`${done}/${all} ${entity}: ${rows.length} questions, ${refused} declined`);
    },
  });
  const { train, dev, test, entities, unusable, refused } = summary;
  console.log(
    `${train} train, ${dev} dev and ${test} test questions about ${entities} entities; ${unusable} simple questions were unusable, ${refused} combinations declined`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function needed(name: "corpus" | "lm" | "model" | "out"): string {
  const value = values[name];
  if (value !== undefined && value !== "") return value;
  return refuse(`--${name} is missing. Expected: ${required}.`, help);
}
