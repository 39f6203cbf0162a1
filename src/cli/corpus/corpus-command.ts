import { defineCommand } from "citty";
import type { RankedPassage } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { excerpt } from "../../internal/index.ts";
import type { IndexReport } from "../../retrieval/index.ts";
import { bm25Index } from "../../retrieval/index.ts";
import type { AnyCommand } from "../arguments/arguments.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { timedProgressLine } from "../terminal/progress-line.ts";
import { print } from "../terminal/terminal.ts";
import { joinLines } from "../terminal/join-lines.ts";

const jsonArgument = {
  json: { type: "boolean", description: "Print one line of JSON", default: false },
} as const;
const indexArgument = {
  index: {
    type: "positional",
    description: "File written by `espalier corpus build`",
    valueHint: "FILE",
    required: true,
  },
} as const;

const buildArguments = {
  corpus: {
    type: "positional",
    description: "JSONL file of passages, optionally gzipped: id or _id, title, text, metadata",
    valueHint: "CORPUS",
    required: true,
  },
  out: { type: "string", description: "Index file to write", valueHint: "FILE", required: true },
  ...jsonArgument,
} as const;

const build = defineCommand({
  meta: { name: "build", description: "Index a corpus for BM25 search" },
  args: buildArguments,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, buildArguments);
    using interrupt = abortOnInterrupt(() => "Run it again to build the index.");
    using line = timedProgressLine("passages indexed");
    let built = false;
    await using index = await bm25Index({
      path: given.out,
      corpus: given.corpus,
      signal: interrupt.signal,
      onProgress: (progress) => {
        built = true;
        line.show(progress);
      },
    });
    line[Symbol.dispose]();
    const { size: passages, checksum } = index;
    if (given.json) print(JSON.stringify({ path: given.out, passages, checksum, built }));
    else {
      const what = `${passages} passages, checksum ${checksum.slice(0, 12)}`;
      print(built ? `${given.out}: ${what}` : `${given.out} already holds this corpus: ${what}`);
    }
  },
});

const inspectArguments = { ...indexArgument, ...jsonArgument } as const;

const inspect = defineCommand({
  meta: { name: "inspect", description: "Show what an index contains" },
  args: inspectArguments,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, inspectArguments);
    await using index = await bm25Index({ path: given.index });
    const report = index.inspect();
    print(given.json ? JSON.stringify(report) : reportText(report));
  },
});

const searchArguments = {
  ...indexArgument,
  query: { type: "string", description: "Search query", valueHint: "Q", required: true },
  k: { type: "string", description: "Maximum passages to print", valueHint: "N", default: "10" },
  "title-weight": {
    type: "string",
    description: "Weight of a word in the title",
    valueHint: "W",
    default: "1",
  },
  "text-weight": {
    type: "string",
    description: "Weight of a word in the text",
    valueHint: "W",
    default: "1",
  },
  ...jsonArgument,
} as const;

const search = defineCommand({
  meta: { name: "search", description: "Search an index with BM25" },
  args: searchArguments,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, searchArguments);
    const { query } = given;
    const k = wholeNumber("k", given.k, 1);
    await using index = await bm25Index({
      path: given.index,
      titleWeight: weight("title-weight", given["title-weight"]),
      textWeight: weight("text-weight", given["text-weight"]),
    });
    const passages = await index.doRetrieve({ query, k }, {});
    if (given.json) print(JSON.stringify({ query, k, passages }));
    else print(passages.length === 0 ? "No passages found." : passagesText(passages));
  },
});

/** `espalier corpus`: builds, inspects and searches indexes. */
export const corpusSubcommand: AnyCommand = defineCommand({
  subCommands: { build, inspect, search },
});

function weight(option: string, given: string): number {
  if (/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(given)) return Number(given);
  throw new EspalierError({
    code: "usage-invalid",
    problem: `Invalid value for --${option}`,
    expected: "a number of at least 0",
    got: `"${given}"`,
  });
}

function reportText(report: IndexReport): string {
  return joinLines([
    `${report.size} passages, ${report.titled} with a title, ${report.stems} stems`,
    `checksum ${report.checksum}`,
    `index version ${report.version}, tokenizer ${report.tokenizer}`,
    ...report.embeddings.map(
      ({ provider, model, dimension, embedded }) =>
        `vectors from ${model} (${provider}): ${embedded} passages, ${dimension} dimensions`,
    ),
    "",
    ...report.examples.map(({ id, title, text }) => `${id}  ${oneLineOf(title, text)}`),
  ]);
}

function passagesText(passages: readonly RankedPassage[]): string {
  return joinLines(
    passages.flatMap(({ id, score, title, text }, index) => [
      `${index + 1}. ${id}  ${score.toFixed(4)}`,
      `   ${oneLineOf(title, text)}`,
    ]),
  );
}

/** The title and the beginning of the text on one line. */
function oneLineOf(title: string | undefined, text: string): string {
  const line = [...(title === undefined ? [] : [title]), text]
    .map((part) => part.replaceAll(/\s+/g, " ").trim())
    .filter((part) => part !== "")
    .join(" | ");
  return excerpt(line, 100);
}
