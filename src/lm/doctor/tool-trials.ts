import type { JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { ChatEnvelope } from "../chat/chat-envelope.ts";
import { textsOf } from "../chat/wire-texts.ts";
import type { Finding, ServerExamination } from "./server-examination.ts";
import type { TrialServer } from "./trial-server.ts";
import { byModel, finding, supported, unknown, unsupported } from "./trial-server.ts";

export interface ToolFindings {
  readonly toolCalls: Finding;
  readonly requiredToolCalls: Finding;
  readonly parallelToolCalls: Finding;
}

/**
 * Up to four short requests: calls by the model's choice, a required one, two at once, and, where
 * the model called none, one that shows whether it was shown the tool at all.
 */
export async function tryToolCalls(server: TrialServer, quiet: JsonObject): Promise<ToolFindings> {
  const asked = (content: string, toolChoice: "auto" | "required"): Promise<ChatEnvelope> =>
    server.chat({
      ...quiet,
      messages: [{ role: "user", content }],
      tools: [lookUp],
      tool_choice: toolChoice,
      max_completion_tokens: 96,
    });
  const toolCalls = await found(async () => {
    const reply = await asked(one, "auto");
    return callsIn(reply) > 0
      ? supported("called the tool that it was asked to call")
      : withoutCall(reply, server, quiet);
  });
  const requiredToolCalls = await found(async () => {
    const reply = await asked(one, "required");
    if (callsIn(reply) > 0) return supported("called a tool where one was required");
    return reply.choices[0].finish_reason === "length"
      ? unknown("the reply was cut off before the required call ended")
      : unsupported("answered without a call where one was required, with status 200");
  });
  if (toolCalls.state === "unsupported") {
    const parallelToolCalls = unsupported("the model cannot choose to call a tool");
    return { toolCalls, requiredToolCalls, parallelToolCalls };
  }
  if (toolCalls.limit === "model") {
    const parallelToolCalls = byModel(unknown("the model did not choose to make even one call"));
    return { toolCalls, requiredToolCalls, parallelToolCalls };
  }
  const parallelToolCalls = await found(async () => {
    const count = callsIn(await asked(two, "auto"));
    if (count > 1) return supported(`${count} calls in one reply`);
    return count === 1
      ? byModel(unknown("one call where two were asked for"))
      : unknown("no call where two were asked for");
  });
  return { toolCalls, requiredToolCalls, parallelToolCalls };
}

const callsIn = ({ choices: [{ message }] }: ChatEnvelope): number =>
  message.tool_calls?.length ?? 0;

/** Whose doing it is that no call came: a tool in the prompt takes tokens there. */
async function withoutCall(
  reply: ChatEnvelope,
  server: TrialServer,
  quiet: JsonObject,
): Promise<Finding> {
  const { content } = textsOf(reply.choices[0].message);
  if (/\{[^{}]*"look_up"|look_up\(/.test(content ?? "")) {
    return unknown("wrote the call into its text: another --tool-call-parser may find it there");
  }
  const messages = [{ role: "user", content: one }];
  const plain = await server.chat({ ...quiet, messages, max_completion_tokens: 1 });
  const [shown, plainTokens] = [reply.usage?.prompt_tokens, plain.usage?.prompt_tokens];
  if (typeof shown !== "number" || typeof plainTokens !== "number") {
    return unknown("accepts tools with status 200, but called none when asked to");
  }
  return shown > plainTokens
    ? byModel(unknown(`was shown the tool in ${shown - plainTokens} tokens, but did not call it`))
    : unsupported("ignored with status 200: the tool took no prompt tokens");
}

const lookUp = {
  type: "function",
  function: {
    name: "look_up",
    description: "Looks up the value of a key.",
    parameters: {
      type: "object",
      properties: { key: { type: "string", enum: ["a", "b"] } },
      required: ["key"],
      additionalProperties: false,
    },
  },
};
const one = "Call the tool `look_up` with the key `a`.";
const two = "Call the tool `look_up` twice at once: with the key `a` and with the key `b`.";

/** A refusal as a sentence: what the server lacks, and the options that give it. */
const found = (trial: () => Promise<Finding>): Promise<Finding> => finding(() => explained(trial));

async function explained(trial: () => Promise<Finding>): Promise<Finding> {
  try {
    return await trial();
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error;
    const said = `${error.report.got ?? ""} ${error.report.problem}`;
    const [, sentence] = refusals.find(([words]) => words.test(said)) ?? [];
    if (sentence !== undefined) return unsupported(sentence);
    throw error;
  }
}

const refusals: readonly (readonly [RegExp, string])[] = [
  [
    /enable-auto-tool-choice|tool[- ]call[- ]parser/i,
    "has no tool call parser: start vLLM with --enable-auto-tool-choice and the model's --tool-call-parser",
  ],
  [
    /Invalid grammar specification.{0,40}triggers/i,
    'its guidance backend cannot constrain calls: start vLLM with --structured-outputs-config \'{"backend":"xgrammar"}\'',
  ],
];

/** How an agent should ask this server for tool calls, and why. */
export function agentCalls({ capabilities }: Pick<ServerExamination, "capabilities">): {
  readonly calls: "native" | "json";
  readonly reason: string;
} {
  const { toolCalls, jsonSchema } = capabilities;
  if (toolCalls.state === "supported") return { calls: "native", reason: toolCalls.evidence };
  if (jsonSchema.state === "supported") {
    return { calls: "json", reason: `${toolCalls.evidence}; it follows JSON schemas` };
  }
  return toolCalls.state === "unknown"
    ? { calls: "native", reason: `${toolCalls.evidence}; it may not follow JSON schemas either` }
    : { calls: "json", reason: toolCalls.evidence };
}
