/**
 * What a small trained model, in this process or on a server, makes of programs as they are
 * declared: README's, the three templates, and the study of the first command. Counts rows without
 * usable outputs, and replies that copy a placeholder of the prompt or were cut off.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { LanguageModel, LmReply, Study } from "espalier";
import { evaluate } from "espalier/evaluate";
import { connect } from "espalier/lm";
import { connectLocal } from "@espalier/local";
import { scriptOptions } from "../../scripts/support/script-options.ts";
import { jsonOrUndefined } from "../../src/internal/index.ts";
import { writeReadmeExample } from "../support/readme-example.ts";
import { report } from "./support/bench-options.ts";
import { cpuMsSince } from "./support/measure.ts";

const { values: given, flags } = scriptOptions({
  command: "npm run bench:local-models",
  about: "Evaluates small programs on a trained model in this process or on a server.",
  options: {
    json: { about: "Also print the figures as a last line of JSON" },
    model: { about: "As behind `--lm local:`", value: "MODEL", preset: "smollm2-135m" },
    server: { about: "A vLLM server that has the model, in this process's place", value: "URL" },
    rows: { about: "Examples of each program, at most", value: "N", preset: "100" },
    replies: { about: "Print the first N replies of each program", value: "N", preset: "0" },
    only: { about: "Programs, separated by commas", value: "NAMES" },
  },
});

const root = resolve(import.meta.dirname, "../..");
const own = mkdtempSync(join(root, ".tmp-local-models-"));
process.on("exit", () => rmSync(own, { recursive: true, force: true }));
writeReadmeExample(own, Number(given.rows));
// It reads its files from the working folder.
process.chdir(own);

const studies = {
  answerer: join(own, "answerer.ts"),
  extractor: join(root, "templates/extractor/study.ts"),
  rag: join(root, "templates/rag/study.ts"),
  "text-to-sql": join(root, "templates/text-to-sql/study.ts"),
  "question-types": join(root, "optimizers/question-types.ts"),
};
const names = given.only?.split(",") ?? Object.keys(studies);

const model = given.model ?? "smollm2-135m";
await using lm =
  given.server === undefined
    ? await connectLocal({ model })
    : connect({ baseUrl: given.server, model, dialect: "vllm", examinationsFolder: null });
const placeholder =
  /^\s*(\.{2,}|…|<[^>]*>|string|text)\s*$|<\/?(?:in|out)put_fields>|<passage|<allowed value>/i;
const figures: Record<string, object> = {};
const lines: string[] = [];
for (const [name, path] of Object.entries(studies).filter(([name]) => names.includes(name))) {
  const { program, objective, trainset } = await studyIn(path);
  const { val, test, train } = trainset.splits;
  const replies: LmReply[] = [];
  const started = { cpu: process.cpuUsage(), at: performance.now() };
  const { value, counts, rows } = await evaluate({
    program,
    examples: [...val, ...test, ...train].slice(0, Number(given.rows)),
    metric: objective,
    lm: heard(lm, replies),
  });
  const seconds = (performance.now() - started.at) / 1000;
  const tokens = total(replies, "completionTokens");
  const found = {
    rows: rows.length,
    value,
    formatFailures: counts.formatFailures,
    unscored: counts.unscored,
    calls: replies.length,
    placeholders: replies.filter(copiesPlaceholder).length,
    cutOff: replies.filter(
      ({ finishReason }) => finishReason === "length" || finishReason === "repetition",
    ).length,
    longestReply: Math.max(...replies.map(({ usage }) => usage.completionTokens ?? 0)),
    promptTokens: total(replies, "promptTokens"),
    completionTokens: tokens,
    seconds,
    cpuSeconds: cpuMsSince(started.cpu) / 1000,
  };
  figures[name] = found;
  lines.push(
    `${name.padEnd(15)} ${found.rows} rows, ${(value ?? 0).toFixed(3)}; ${found.calls} calls: ${found.formatFailures} rows do not fit, ${found.placeholders} placeholders, ${found.cutOff} cut off, longest ${found.longestReply} tokens; ${seconds.toFixed(0)} s, ${found.cpuSeconds.toFixed(0)} s of CPU`,
  );
  for (const { content } of replies.slice(0, Number(given.replies))) lines.push(`    ${content}`);
  console.error(lines.at(-1));
}
report(
  flags.has("json"),
  [
    `${model} ${given.server === undefined ? "in this process" : `at ${given.server}`}`,
    ...lines,
    `peak of memory ${(process.resourceUsage().maxRSS / 1e3).toFixed(0)} MB`,
  ].join("\n"),
  { model, programs: figures },
);

async function studyIn(path: string): Promise<Study> {
  const module: { default: Study | (() => Promise<Study>) } = await import(
    pathToFileURL(path).href
  );
  return typeof module.default === "function" ? await module.default() : module.default;
}

function heard(lm: LanguageModel, replies: LmReply[]): LanguageModel {
  return {
    identity: lm.identity,
    doGenerate: async (request, options) => {
      const reply = await lm.doGenerate(request, options);
      replies.push(reply);
      return reply;
    },
  };
}

/** Whether a text in the reply is what prompts write in the place of one, or holds their tags. */
function copiesPlaceholder({ content }: LmReply): boolean {
  const texts: unknown[] = [jsonOrUndefined(content ?? "")];
  for (const value of texts) {
    if (typeof value === "string" && placeholder.test(value)) return true;
    if (typeof value === "object" && value !== null) texts.push(...Object.values(value));
  }
  return false;
}

function total(replies: readonly LmReply[], key: "promptTokens" | "completionTokens"): number {
  return replies.reduce((sum, { usage }) => sum + (usage[key] ?? 0), 0);
}
