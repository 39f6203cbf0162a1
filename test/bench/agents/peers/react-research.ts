/** `programs/react-research` with the AI SDK's tool loop. */
import type { LanguageModel } from "ai";
import { Output, isStepCount, tool, ToolLoopAgent } from "ai";
import { z } from "zod";

interface Found {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
}

const calculator = tool({
  description: "Works out an arithmetic expression.",
  inputSchema: z.object({
    expression: z.string().describe("Numbers, + - * / and brackets: (12 + 7) * 3."),
  }),
  execute: ({ expression }) => {
    const tokens = expression.match(/\d+(?:\.\d+)?|[-+*/()]|\S/g) ?? [];
    let index = 0;
    const value = (): number => {
      const token = tokens[index++];
      if (token === "-") return -value();
      if (token === "(") {
        const inside = sum();
        if (tokens[index++] !== ")") throw new Error("A bracket is not closed");
        return inside;
      }
      if (token === undefined || !/^\d/.test(token))
        throw new Error(`Unexpected: ${token ?? "end"}`);
      return Number(token);
    };
    const product = (): number => {
      let result = value();
      while (tokens[index] === "*" || tokens[index] === "/") {
        result = tokens[index++] === "*" ? result * value() : result / value();
      }
      return result;
    };
    const sum = (): number => {
      let result = product();
      while (tokens[index] === "+" || tokens[index] === "-") {
        result = tokens[index++] === "+" ? result + product() : result - product();
      }
      return result;
    };
    const result = sum();
    if (index < tokens.length) throw new Error(`Unexpected: ${tokens[index]}`);
    if (!Number.isFinite(result)) throw new Error("Division by 0");
    return result;
  },
});

export function reactResearch(
  model: LanguageModel,
  search: (query: string, signal: AbortSignal | undefined) => Promise<readonly Found[]>,
  maxSteps = 4,
) {
  return new ToolLoopAgent({
    model,
    instructions: "Answer the question.",
    tools: {
      find_passages: tool({
        description: "Finds passages of the shelves.",
        inputSchema: z.object({
          query: z.string().describe("What to find, in a few words."),
        }),
        execute: async ({ query }, { abortSignal }) => {
          const found = await search(query, abortSignal);
          return found.map(({ id, title = "", text }) => `[${id}] ${title}\n${text}`).join("\n\n");
        },
      }),
      calculator,
    },
    stopWhen: [
      isStepCount(maxSteps + 1),
      ({ steps }) => steps.flatMap(({ toolCalls }) => toolCalls).length >= 12,
    ],
    prepareStep: ({ stepNumber }) => (stepNumber < maxSteps ? {} : { toolChoice: "none" }),
    output: Output.object({
      schema: z.object({
        answer: z.string().describe("The answer, as short as possible."),
      }),
    }),
  });
}
