import type { JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Finding, ServerExamination } from "./server-examination.ts";
import type { TrialServer } from "./trial-server.ts";
import { brief, supported, unknown, unsupported } from "./trial-server.ts";

export interface ToolFindings {
  readonly toolCalls: Finding;
  readonly requiredToolCalls: Finding;
  readonly parallelToolCalls: Finding;
}

/** Three short requests with a tool: calls by the model's choice, a required one, two at once. */
export async function tryToolCalls(server: TrialServer, quiet: JsonObject): Promise<ToolFindings> {
  const callsOf = async (content: string, toolChoice: "auto" | "required"): Promise<number> => {
    const { choices } = await server.chat({
      ...quiet,
      messages: [{ role: "user", content }],
      tools: [lookUp],
      tool_choice: toolChoice,
      max_completion_tokens: 96,
    });
    return choices[0].message.tool_calls?.length ?? 0;
  };
  const toolCalls = await found(async () =>
    (await callsOf(one, "auto")) > 0
      ? supported("called the tool that it was asked to call")
      : unknown("takes tools with status 200, but called none when asked to"),
  );
  const requiredToolCalls = await found(async () =>
    (await callsOf(one, "required")) > 0
      ? supported("called a tool where one was required")
      : unsupported("answered without a call where one was required, with status 200"),
  );
  const parallelToolCalls =
    toolCalls.state === "unsupported"
      ? unsupported("no calls of tools by the model's own choice")
      : await found(async () => {
          const count = await callsOf(two, "auto");
          if (count > 1) return supported(`${count} calls in one reply`);
          return unknown(`${count === 0 ? "no call" : "one call"} where two were asked for`);
        });
  return { toolCalls, requiredToolCalls, parallelToolCalls };
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
async function found(trial: () => Promise<Finding>): Promise<Finding> {
  try {
    return await trial();
  } catch (error) {
    if (!EspalierError.isInstance(error) || error.code === "lm-unreachable") throw error;
    const said = `${error.report.got ?? ""} ${error.report.problem}`;
    const [, sentence] = refusals.find(([words]) => words.test(said)) ?? [];
    if (sentence !== undefined) return unsupported(sentence);
    return error.kind === "infrastructure" ? unknown(brief(error)) : unsupported(brief(error));
  }
}

const refusals: readonly (readonly [RegExp, string])[] = [
  [
    /enable-auto-tool-choice|tool[- ]call[- ]parser/i,
    "has no parser of calls: start vLLM with --enable-auto-tool-choice and the model's --tool-call-parser",
  ],
  [
    /Invalid grammar specification.{0,40}triggers/i,
    'its guidance backend cannot constrain calls: start vLLM with --structured-outputs-config \'{"backend":"xgrammar"}\'',
  ],
];

/** How an agent should ask this server for calls of tools, and why. */
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
    ? { calls: "native", reason: `${toolCalls.evidence}; nor does it surely follow JSON schemas` }
    : { calls: "json", reason: toolCalls.evidence };
}
