/**
 * Builds HANRAG's compound benchmark from a corpus, with any LM behind an OpenAI-compatible API:
 * `npm run build:compound-questions -- --corpus corpus.jsonl.gz --out FOLDER --lm URL --model NAME`.
 * The corpus is JSONL, one `{ id, title, text }` a line; each title is an entity. Begun again with the
 * same options it goes on where it ended.
 */
import { parseArgs } from "node:util";
import { EspalierError } from "espalier";
import { connect } from "espalier/lm";
import { readCorpus } from "espalier/retrieval";
import { buildCompoundQuestions } from "./compound-questions/build-compound-questions.ts";

const usage =
  "--corpus FILE --out FOLDER --lm URL --model NAME [--entities N] [--documents N] [--per-entity N] [--dev-share X] [--concurrency N] [--seed N]";

try {
  const { values } = readOptions();
  const concurrency = Number(values.concurrency);
  const apiKey = process.env["ESPALIER_API_KEY"];
  await using lm = connect({
    baseUrl: needed("lm", values.lm),
    model: needed("model", values.model),
    concurrency: Number.isSafeInteger(concurrency) && concurrency > 0 ? 4 * concurrency : 1,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  const stopping = new AbortController();
  process.once("SIGINT", () => stopping.abort());
  const summary = await buildCompoundQuestions({
    corpus: await readCorpus(needed("corpus", values.corpus)),
    lm,
    folder: needed("out", values.out),
    entities: Number(values.entities),
    documents: Number(values.documents),
    perEntity: Number(values["per-entity"]),
    devShare: Number(values["dev-share"]),
    concurrency,
    seed: Number(values.seed),
    signal: stopping.signal,
    onEntity: ({ entity, rows, refused }, done, all) => {
      console.error(`${done}/${all} ${entity}: ${rows.length} questions, ${refused} refused`);
    },
  });
  const { train, dev, entities, unusable, refused } = summary;
  console.log(
    `${train} train and ${dev} dev questions about ${entities} entities; ${unusable} simple questions were unusable, ${refused} combinations refused`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        corpus: { type: "string" },
        out: { type: "string" },
        lm: { type: "string" },
        model: { type: "string" },
        entities: { type: "string", default: "100" },
        documents: { type: "string", default: "10" },
        "per-entity": { type: "string", default: "1" },
        "dev-share": { type: "string", default: "0.2" },
        concurrency: { type: "string", default: "4" },
        seed: { type: "string", default: "0" },
      },
    });
  } catch (cause) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: cause instanceof Error ? cause.message : String(cause),
      expected: usage,
      cause,
    });
  }
}

function needed(name: string, value: string | undefined): string {
  if (value !== undefined && value !== "") return value;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `--${name} is missing`,
    expected: usage,
  });
}
