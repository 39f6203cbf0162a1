/**
 * Compares the programs of the shipped studies of agents with the same programs written with DSPy's
 * ReAct and with the AI SDK's tool loop: lines of code, and whether each makes the same calls of
 * tools and gives the same outputs. A mock for the model follows a script, over HTTP; what a
 * real model would make of either prompt is not measured. Of the peers, only the programs count.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { connect } from "espalier/lm";
import { tokenF1Of } from "espalier/metric";
import { shelfQuestions } from "../../optimizers/support/question-data.ts";
import { reactResearch } from "../../programs/react-research/index.ts";
import { textToSql } from "../../programs/text-to-sql/index.ts";
import { harbourDatabase, harbourQuestions, harbourSchema } from "../../trainsets/sql/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { linesOfCode } from "./agents/lines-of-code.ts";
import { reactResearch as reactResearchOfAiSdk } from "./agents/peers/react-research.ts";
import { textToSql as textToSqlOfAiSdk } from "./agents/peers/text-to-sql.ts";
import { scriptedModel } from "./agents/scripted-model.ts";
import { benchOptions, report } from "./support/bench-options.ts";
import { pythonPackage } from "./support/python-package.ts";

const { json, sizes } = benchOptions(
  "agents",
  "Agents as espalier, DSPy and the AI SDK write them.",
  {
    questions: [20, "questions of each validation split"],
  },
);

interface Ended {
  readonly output?: string;
  readonly error?: string;
  readonly calls: number;
}

const programs = ["react-research", "text-to-sql"] as const;
type Program = (typeof programs)[number];

const root = new URL("../../", import.meta.url).pathname;
const filesOf: Readonly<Record<string, Readonly<Record<Program, readonly string[]>>>> = {
  espalier: {
    "react-research": [
      "signatures/research-question.ts",
      "programs/react-research/react-research.ts",
      "programs/react-research/calculator.ts",
    ],
    "text-to-sql": ["signatures/ask-database.ts", "programs/text-to-sql/text-to-sql.ts"],
  },
  DSPy: {
    "react-research": ["test/bench/agents/peers/react_research.py"],
    "text-to-sql": ["test/bench/agents/peers/text_to_sql.py"],
  },
  "AI SDK": {
    "react-research": ["test/bench/agents/peers/react-research.ts"],
    "text-to-sql": ["test/bench/agents/peers/text-to-sql.ts"],
  },
};

await using folder = await temporaryFolder();
const { retriever, trainset: research } = await shelfQuestions();
const sql = await harbourQuestions();
const sqlite = harbourDatabase();
const databasePath = `${folder.path}/harbour.sqlite`;
// A copy for other processes.
sqlite.exec("PRAGMA query_only = OFF");
sqlite.exec(`VACUUM INTO '${databasePath}'`);
const rowsOf = (query: string): readonly (readonly unknown[])[] =>
  sqlite
    .prepare(query)
    .all()
    .map((row) => Object.values(row));
const database = { schema: harbourSchema(), rowsOf };
const search = async (query: string) => retriever.doRetrieve({ query, k: 4 }, {});

const searches = createServer((request, response) => {
  const query = new URL(request.url ?? "", "http://host").searchParams.get("query") ?? "";
  void search(query).then((found) => response.end(JSON.stringify(found)));
});
await new Promise<void>((resolve) => searches.listen(0, "127.0.0.1", resolve));
const searchUrl = `http://127.0.0.1:${(searches.address() as AddressInfo).port}/search`;

const questions = {
  "react-research": research.splits.val.slice(0, sizes.questions),
  "text-to-sql": sql.splits.val.slice(0, sizes.questions),
};
await using model = await scriptedModel([
  ...questions["react-research"].map(({ input: { question }, labels }) => ({
    question,
    calls: [
      { tool: "find_passages", input: { query: question } },
      { tool: "calculator", input: { expression: "(12 + 7) * 3" } },
    ],
    outputs: { answer: labels.answers[0] ?? "" },
  })),
  ...questions["text-to-sql"].map(({ input: { question }, labels }) => ({
    question,
    calls: [
      { tool: "list_tables", input: {} },
      { tool: "run_sql", input: { sql: labels.sql } },
    ],
    outputs: { sql: labels.sql },
  })),
]);
const asked = (name: Program): readonly string[] =>
  questions[name].map(({ input }) => input.question);

async function each(
  name: Program,
  run: (question: string) => Promise<Ended>,
): Promise<readonly Ended[]> {
  const ended: Ended[] = [];
  for (const question of asked(name)) {
    ended.push(await run(question).catch((error: unknown) => ({ error: String(error), calls: 0 })));
  }
  return ended;
}

async function ofEspalier(name: Program): Promise<readonly Ended[]> {
  await using lm = connect({ baseUrl: model.url, model: "scripted" });
  const program = name === "react-research" ? reactResearch({ retriever }) : textToSql(database);
  return each(name, async (question) => {
    const attempt = await program.attempt({ question }, { lm });
    if (attempt.state === "failed") return { error: attempt.failure.message, calls: 0 };
    const [node] = attempt.trace.children;
    const calls = node?.kind === "predictor" ? (node.tools?.length ?? 0) : 0;
    const { answer, sql: written } = attempt.output as { answer?: string; sql?: string };
    return { output: answer ?? written ?? "", calls };
  });
}

async function ofAiSdk(name: Program): Promise<readonly Ended[]> {
  const of = createOpenAICompatible({
    name: "local",
    baseURL: model.url,
    supportsStructuredOutputs: true,
  })("scripted");
  // The types of the two agents know their tools by name.
  const loop: { generate(options: { prompt: string }): Promise<AiSdkAnswer> } =
    name === "react-research" ? reactResearchOfAiSdk(of, search) : textToSqlOfAiSdk(of, database);
  return each(name, async (prompt) => {
    const { output, steps } = await loop.generate({ prompt });
    const calls = steps.flatMap(({ toolCalls }) => toolCalls).length;
    return { output: output.answer ?? output.sql ?? "", calls };
  });
}

interface AiSdkAnswer {
  readonly output: { readonly answer?: string; readonly sql?: string };
  readonly steps: readonly { readonly toolCalls: readonly unknown[] }[];
}

const dspy = await pythonPackage("dspy", "3.4.1");
async function ofDspy(name: Program): Promise<readonly Ended[] | string> {
  if (typeof dspy === "string") return dspy;
  const given = {
    program: name,
    questions: asked(name),
    lm: model.url,
    search: searchUrl,
    database: databasePath,
    schema: database.schema,
  };
  const said = await dspy.run(`${root}test/bench/agents/peers/run_dspy.py`, JSON.stringify(given));
  return JSON.parse(said.trim().split("\n").at(-1) ?? "") as readonly Ended[];
}

function score(name: Program, ended: readonly Ended[]): number {
  const scores = ended.map(({ output = "" }, index) => {
    if (name === "react-research") {
      return tokenF1Of(output, questions[name][index]?.labels.answers ?? []);
    }
    const right = questions[name][index]?.labels.sql ?? "";
    return JSON.stringify(rowsIn(output)) === JSON.stringify(rowsOf(right)) ? 1 : 0;
  });
  return scores.reduce<number>((sum, one) => sum + one, 0) / Math.max(1, scores.length);
}

function rowsIn(query: string): unknown {
  try {
    return rowsOf(query);
  } catch {
    return null;
  }
}

function share(value = 0): string {
  return `${(100 * value).toFixed(0)} %`;
}

interface Row {
  readonly name: Program;
  readonly framework: string;
  readonly lines: number;
  /** Why nothing ran. */
  readonly note?: string;
  readonly questions?: number;
  readonly answered?: number;
  readonly calls?: number;
  readonly score?: number;
  readonly errors?: readonly string[];
}

const rows: Row[] = [];
for (const name of programs) {
  const runs: Readonly<Record<string, readonly Ended[] | string>> = {
    espalier: await ofEspalier(name),
    DSPy: await ofDspy(name),
    "AI SDK": await ofAiSdk(name),
  };
  for (const [framework, ended] of Object.entries(runs)) {
    const lines = linesOfCode((filesOf[framework]?.[name] ?? []).map((path) => `${root}${path}`));
    rows.push({
      name,
      framework,
      lines,
      ...(typeof ended === "string"
        ? { note: ended }
        : {
            questions: ended.length,
            answered: ended.filter(({ error }) => error === undefined).length,
            calls: ended.reduce((sum, { calls }) => sum + calls, 0),
            score: score(name, ended),
            errors: [...new Set(ended.flatMap(({ error }) => error ?? []))].slice(0, 3),
          }),
    });
  }
}
searches.close();

report(
  json,
  [
    "A mock follows a script: lines of the program, its calls of tools, and its outputs",
    ...rows.map(
      ({ name, framework, lines, note, questions: count, answered, calls, score: value, errors }) =>
        [
          `${name.padEnd(15)} ${framework.padEnd(20)} ${String(lines).padStart(3)} lines`,
          note ??
            `answered ${answered} of ${count}, ${calls} calls of tools, ${share(value)} right`,
          ...(errors ?? []).map((error) => `\n    ${error}`),
        ].join("  "),
    ),
  ].join("\n"),
  { node: process.version, rows },
);
