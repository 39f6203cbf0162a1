import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { jsonArgument, serversArguments, wholeNumber } from "../arguments/arguments.ts";
import { command } from "../arguments/command.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { print } from "../terminal/terminal.ts";
import { passagesText } from "./index-text.ts";
import { openIndex } from "./open-index.ts";

const places = "a file, postgres://USER@HOST:PORT/DATABASE, or lance:FOLDER";
const schemaArgument = {
  schema: {
    type: "string",
    description: "Schema of an index in PostgreSQL; defaults to espalier",
    valueHint: "NAME",
  },
} as const;
const indexArgument = {
  index: {
    type: "positional",
    description: `Index to read: ${places}`,
    valueHint: "INDEX",
    required: true,
  },
  ...schemaArgument,
} as const;

const { servers, rehearsal } = serversArguments;
const build = command({
  meta: { name: "build", description: "Index a corpus for keyword and vector search" },
  args: {
    corpus: {
      type: "positional",
      description: "JSONL file of passages, optionally gzipped: id or _id, title, text, metadata",
      valueHint: "CORPUS",
      required: true,
    },
    out: {
      type: "string",
      description: `Index to write: ${places}. The PostgreSQL password can be set in PGPASSWORD instead`,
      valueHint: "INDEX",
      required: true,
    },
    ...schemaArgument,
    embed: {
      type: "boolean",
      description: "Also store vectors from the embedder in the servers file",
      default: false,
    },
    servers,
    rehearsal,
    ...jsonArgument,
  },
  run: async (given) => {
    using interrupt = abortOnInterrupt(() => "Run it again to build the index.");
    let built = false;
    await using index = await openIndex({
      place: given.out,
      schema: given.schema,
      corpus: given.corpus,
      embedder: given.embed ? (await partsOf(given)).embedder() : undefined,
      signal: interrupt.signal,
      onBuild: () => {
        built = true;
      },
    });
    const { size: passages, checksum, place } = index;
    if (given.json) print(JSON.stringify({ path: place, passages, checksum, built }));
    else {
      const what = `${passages} passages, checksum ${checksum.slice(0, 12)}`;
      print(built ? `${place}: ${what}` : `${place} already holds this corpus: ${what}`);
    }
  },
});

async function partsOf(given: {
  readonly servers?: string | undefined;
  readonly rehearsal: boolean;
}) {
  const asking = { concurrency: "4", patience: "10" };
  const { runServers } = await import("../lm/run-servers.ts");
  return (await runServers({ ...given, ...asking }, { answersPeople: true })).parts;
}

const inspect = command({
  meta: { name: "inspect", description: "Show what an index contains" },
  args: {
    ...indexArgument,
    ...jsonArgument,
  },
  run: async (given) => {
    using interrupt = abortOnInterrupt();
    const { index: place, schema } = given;
    await using index = await openIndex({ place, schema, signal: interrupt.signal });
    const { contents, text } = await index.inspect();
    print(given.json ? JSON.stringify(contents) : text);
  },
});

const search = command({
  meta: { name: "search", description: "Search an index by keywords, with BM25" },
  args: {
    ...indexArgument,
    query: { type: "string", description: "Search query", valueHint: "Q", required: true },
    k: { type: "string", description: "Maximum passages to print", valueHint: "N", default: "10" },
    ...jsonArgument,
  },
  run: async (given) => {
    const { query, index: place, schema } = given;
    const k = wholeNumber("k", given.k, 1);
    using interrupt = abortOnInterrupt();
    const { signal } = interrupt;
    await using index = await openIndex({
      place,
      schema,
      signal,
    });
    const passages = await index.keyword.doRetrieve({ query, k }, { signal });
    if (given.json) print(JSON.stringify({ query, k, passages }));
    else print(passages.length === 0 ? "No passages found." : passagesText(passages));
  },
});

/** `espalier corpus`: builds, inspects and searches indexes. */
export const corpusSubcommand: AnyCommand = defineCommand({
  subCommands: { build, inspect, search },
});
