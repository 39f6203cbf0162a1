import type {
  JsonObject,
  JsonSchema,
  LmMessage,
  LmReply,
  LmRequest,
  LmTool,
} from "../../contract/index.ts";
import { exactJson } from "../../internal/index.ts";
import { argumentsText } from "./tool.ts";
import type { AgentSettings } from "./driver.ts";
import { jsonText } from "./read-reply.ts";

/** A call as the model asked for it. */
export interface WantedCall {
  readonly name: string;
  /** JSON as the model wrote it. */
  readonly arguments: string;
}

/** What a step's reply asks for. */
type Wanted =
  | { readonly state: "calls"; readonly calls: readonly WantedCall[] }
  /** The reply is meant to be the outputs. */
  | { readonly state: "outputs" }
  /** It wants no further call, and is to be asked for the outputs. */
  | { readonly state: "done" };

/** How a model asks for calls, and how it is told of their results. */
export interface AgentProtocol {
  /** Whether a step's reply may be the outputs. */
  readonly mayConclude: boolean;
  /** Stands at the end of the system message. */
  readonly guide: string;
  /** What a step's request has beside the messages. */
  readonly request: Partial<LmRequest>;
  /** What the last request has, in which no call is allowed. */
  readonly withoutCalls: Partial<LmRequest>;
  read(reply: LmReply): Wanted;
  /**
   * The messages that a step adds; `results` belong to the calls in order, and ids of calls begin
   * with `prefix`.
   */
  answered(
    reply: Pick<LmReply, "content">,
    calls: readonly WantedCall[],
    results: readonly string[],
    step: number,
    prefix?: string,
  ): readonly LmMessage[];
  /** What the model would have written in a step; only its content counts. */
  written(thought: string, calls: readonly WantedCall[]): Pick<LmReply, "content">;
}

/** @param loose tools whose arguments no grammar can hold, since their schemas have references */
type MakeProtocol = (
  tools: readonly LmTool[],
  signature: string,
  loose?: ReadonlySet<string>,
) => AgentProtocol;

/** `native` needs a server that reads calls out of the model's text; `json` needs JSON schemas. */
export const agentProtocols: Readonly<Record<AgentSettings["calls"], MakeProtocol>> = {
  native: (tools) => ({
    mayConclude: true,
    guide: `<tools>\n${guide} Once you know enough, write the JSON object and call no tool.\n</tools>`,
    request: { tools },
    withoutCalls: { tools, toolChoice: "none" },
    read: ({ toolCalls = [], content }) => {
      if (toolCalls.length > 0) return { state: "calls", calls: toolCalls };
      return { state: (content ?? "").trim() === "" ? "done" : "outputs" };
    },
    written: (thought) => ({ content: thought }),
    answered: ({ content }, calls, results, step, prefix) => [
      {
        role: "assistant",
        content: content ?? "",
        toolCalls: calls.map(({ name, arguments: given }, index) => ({
          id: callId(step, index, prefix),
          name,
          // Templates of models read the arguments of calls.
          arguments: argumentsText(given),
        })),
      },
      ...results.map((result, index): LmMessage => ({
        role: "tool",
        content: result,
        toolCallId: callId(step, index, prefix),
      })),
    ],
  }),
  json: (tools, signature, loose) => ({
    mayConclude: false,
    guide: `<tools>\n${guide} In each step, write a JSON object with your \`thought\` and the \`calls\` to make, each with its \`tool\` and \`input\`; no calls once you know enough. The output fields are asked for afterwards.\n${tools
      .map(({ name, description, parameters }) =>
        JSON.stringify({ tool: name, description, input: parameters }),
      )
      .join("\n")}\n</tools>`,
    request: {
      responseSchema: { name: `${signature}-step`.slice(-64), schema: stepSchema(tools, loose) },
    },
    withoutCalls: {},
    read: (reply) => {
      const calls = callsIn(reply);
      return calls.length === 0 ? { state: "done" } : { state: "calls", calls };
    },
    written: (thought, calls) => ({
      content: JSON.stringify({
        thought,
        calls: calls.map(({ name, arguments: given }) => ({
          tool: name,
          input: exactJson(given),
        })),
      }),
    }),
    answered: ({ content }, calls, results) => [
      { role: "assistant", content: content ?? "" },
      {
        role: "user",
        content: results
          .map((result, index) => `Result of ${calls[index]?.name}:\n${result}`)
          .join("\n\n"),
      },
    ],
  }),
};

/** Of an agent that has no tools at all, and is asked for the outputs at once. */
export const withoutTools =
  (calls: AgentSettings["calls"]): MakeProtocol =>
  (tools, signature) => ({
    ...agentProtocols[calls](tools, signature),
    guide: "",
    request: {},
    withoutCalls: {},
  });

const guide =
  "You have tools. Call them for what you do not know; call several at once if none needs the result of another.";

/** Of nine letters and digits, as the templates of some models demand; equal in every run. */
function callId(step: number, index: number, prefix = "call"): string {
  return `${prefix}${String(step).padStart(3, "0")}${String(index + 1).padStart(2, "0")}`;
}

/** Calls in one step; more are cut. */
const maxCalls = 4;

function stepSchema(tools: readonly LmTool[], loose?: ReadonlySet<string>): JsonSchema {
  const object = (properties: JsonObject): JsonSchema => ({
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  const one = tools.map(({ name, parameters }) => {
    const input = loose?.has(name) === true ? { type: "object" } : parameters;
    return object({ tool: { type: "string", enum: [name] }, input });
  });
  return object({
    thought: { type: "string", maxLength: 1_000 },
    calls: { type: "array", items: { anyOf: one }, maxItems: maxCalls },
  });
}

function callsIn({ content }: LmReply): readonly WantedCall[] {
  try {
    const { calls } = exactJson(jsonText(content ?? "")) as { readonly calls?: unknown };
    if (!Array.isArray(calls)) return [];
    return calls
      .slice(0, maxCalls)
      .flatMap((call: { tool?: unknown; input?: unknown } | null) =>
        typeof call?.tool === "string"
          ? [{ name: call.tool, arguments: JSON.stringify(call.input ?? {}) }]
          : [],
      );
  } catch {
    return [];
  }
}
