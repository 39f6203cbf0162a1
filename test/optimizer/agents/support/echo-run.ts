/** One process of a run that optimizes an agent with the real MCP server. */
import { resolve } from "node:path";
import { agent, program, signature, text } from "espalier";
import { mcpTools } from "@espalier/mcp";
import { metric, scored } from "espalier/metric";
import { gepa, optimize } from "espalier/optimizer";
import { trainset } from "espalier/trainset";
import { rehearsalLm } from "@espalier/rehearsal";

const [runFolder = "", log = "", resume = "", cap = "10000"] = process.argv.slice(2);
const here = import.meta.dirname;
const bin = resolve(
  here,
  "../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
);

await using server = await mcpTools({
  server: { command: process.execPath, args: [resolve(here, "logging-mcp.js"), log, bin] },
  only: ["echo"],
});

const things = ["tin", "zinc", "lead", "gold", "iron", "brass", "steel", "copper", "nickel"];
const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => {
    const thing = things[(from + at) % things.length] ?? "";
    const id = `q${from + at}`;
    return {
      id,
      input: { question: `What does ${thing} number ${from + at} cost in the Market of Oslo?` },
      labels: { answer: thing },
    };
  });

const { best, ledger } = await optimize(
  {
    program: program({
      name: "echoing",
      version: "1",
      input: { question: text("question") },
      output: { answer: text("answer") },
      predictors: {
        clerk: agent({
          signature: signature({
            name: "clerk",
            instruction: "Answer.",
            input: { question: text("question", "The question.") },
            output: { answer: text("answer", "The answer.") },
          }),
          tools: server.tools,
          maxSteps: 3,
        }),
      },
      forward: async ({ question }, { predictors }) => predictors.clerk({ question }),
    }),
    trainset: trainset({
      name: "echoes",
      version: "1",
      licence: "Apache-2.0",
      source: "own writing",
      splits: { train: rows(0, 9), val: rows(9, 21), test: rows(21, 23) },
    }),
    objective: metric<{ question: string }, { answer: string }, { answer: string }>({
      name: "f1",
      version: "1",
      score: ({ trace }) => {
        const [node] = trace.children;
        const [call] = (node?.kind === "predictor" && node.tools) || [];
        const words = JSON.stringify(call?.input ?? "").split(" ").length;
        return scored(3 / Math.max(3, words), "You must search with keywords only.");
      },
    }),
  },
  {
    optimizer: gepa({
      budget: { metricCalls: 120, reflectionCalls: 10, toolCalls: Number(cap) },
      components: ["instruction", "toolDescription"],
    }),
    lm: rehearsalLm(),
    runFolder,
    resume: resume === "resume",
    concurrency: 4,
  },
);
process.stdout.write(
  JSON.stringify({
    components: best.components,
    value: best.selection.value,
    tool: ledger.byRole.tool,
  }),
);
