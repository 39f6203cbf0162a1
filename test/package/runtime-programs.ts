/** What a user of another runtime runs, by file name: no types, no flags, the package as it is. */
const declared = `
import { predict, program, signature, text } from "espalier";
const answer = signature({
  name: "answer",
  instruction: "Answer.",
  input: { question: text("question") },
  output: { answer: text("answer") },
});
export const answerer = program({
  name: "answerer",
  version: "1",
  input: answer.input,
  output: answer.output,
  predictors: { answer: predict(answer) },
  forward: (given, { predictors }) => predictors.answer(given),
});
`;

export const runtimePrograms: Readonly<Record<string, string>> = {
  "answerer.mjs": declared,
  "library.mjs": `
import { createServer } from "node:http";
import { evaluate } from "espalier/evaluate";
import { connect } from "espalier/lm";
import { metric, scored } from "espalier/metric";
import { chatModel, handler, serving } from "espalier/serve";
import { answerer as program } from "./answerer.mjs";

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const message = { role: "assistant", content: JSON.stringify({ answer: "In 1871." }) };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(request.url.endsWith("/models")
      ? { object: "list", data: [{ id: "m", object: "model" }] }
      : {
          id: "1", object: "chat.completion", created: 1, model: "m",
          choices: [{ index: 0, finish_reason: "stop", message }],
          usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        }));
  });
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const lm = connect({ baseUrl: \`http://127.0.0.1:\${server.address().port}/v1\`, model: "m" });
const ran = await program.run({ question: "When?" }, { lm });
console.log("ran " + JSON.stringify(ran));
const right = metric({
  name: "right",
  version: "1",
  score: ({ output }) => scored(output.answer === "In 1871." ? 1 : 0),
});
const examples = [{ id: "a", input: { question: "When?" }, labels: {} }];
console.log("evaluated " + (await evaluate({ program, examples, metric: right, lm })).value);
const model = chatModel({
  id: "answerer",
  program,
  inputOf: ({ question }) => ({ question }),
  answerOf: ({ answer }) => ({ answer }),
});
const { fetch } = await handler(serving({ name: "towns", models: [model] }), { lm });
const response = await fetch(new Request("http://127.0.0.1/v1/chat/completions", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ model: "answerer", messages: [{ role: "user", content: "When?" }] }),
}));
console.log("served " + (await response.json()).choices[0].message.content);
process.exit(0);
`,
  "search.mjs": `
import { rmSync, writeFileSync } from "node:fs";
import { bm25Index } from "espalier/retrieval";

const passages = [{ id: "a", text: "The mill was built in 1871." }, { id: "b", text: "A bridge." }];
rmSync("index.sqlite", { force: true });
writeFileSync("corpus.jsonl", passages.map((passage) => JSON.stringify(passage) + "\\n").join(""));
const index = await bm25Index({ path: "index.sqlite", corpus: "corpus.jsonl" });
const found = await index.doRetrieve({ query: "mill", k: 1 }, {});
console.log("found " + found.map(({ id }) => id));
`,
  "required.cjs": `
const { signature, text } = require("espalier");
const { tokenF1 } = require("espalier/metric");
const fields = { input: { question: text("question") }, output: { answer: text("answer") } };
const { name } = signature({ name: "answer", instruction: "Answer.", ...fields });
console.log("required", name, typeof tokenF1);
`,
  "study.ts": `
import { study } from "espalier";
import { tokenF1 } from "espalier/metric";
import { trainset } from "espalier/trainset";
import { answerer } from "./answerer.mjs";

const val = [{ id: "a", input: { question: "When?" }, labels: { answers: ["In 1871."] } }];
export default study({
  name: "towns",
  program: answerer,
  trainset: trainset({ name: "t", version: "1", licence: "CC0-1.0", source: "own", splits: { val } }),
  objective: tokenF1({ answer: "answer", golds: "answers" }),
});
`,
};
