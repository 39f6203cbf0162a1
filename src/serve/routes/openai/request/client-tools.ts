import { z } from "zod";
import type { ClientStep, ClientTools, JsonSchema, LmTool } from "../../../../contract/index.ts";
import { clientToolsProblem, takersOfClientTools } from "../../../../program/index.ts";
import { ApiError, invalidParameter } from "../../../api-error/api-error.ts";
import type { ServedModel } from "../../../model/served-model.ts";
import type { ChatMessage } from "./chat-messages.ts";
import { unreadPart } from "./chat-messages.ts";

/** A client's JSON schema; the server's limits on depth and size hold for it. */
export const jsonSchema: z.ZodType<JsonSchema> = z.custom<JsonSchema>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "expected a JSON schema",
);

/** What a request says of tools, before anybody knows whether its model takes any. */
export interface SentTools {
  /** In the form of chat completions; unchecked. */
  readonly tools: readonly unknown[];
  readonly choice: unknown;
  readonly isParallel: boolean;
}

type ToolFields = {
  readonly tools: z.ZodOptional<z.ZodNullable<z.ZodType<readonly unknown[]>>>;
  readonly tool_choice: z.ZodOptional<z.ZodUnknown>;
  readonly parallel_tool_calls: z.ZodOptional<z.ZodNullable<z.ZodBoolean>>;
};

/** As many as OpenAI's API takes. */
const maxTools = 128;

/** Tools in the body of a request. */
export const toolFields: ToolFields = {
  tools: z
    .custom<readonly unknown[]>(
      (value) => Array.isArray(value) && value.length <= maxTools,
      `expected at most ${maxTools} tools`,
    )
    .nullish(),
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: z.boolean().nullish(),
};

export function sentTools({
  tools,
  tool_choice: choice,
  parallel_tool_calls: isParallel,
}: z.infer<z.ZodObject<ToolFields>>): SentTools {
  return { tools: tools ?? [], choice: choice ?? "auto", isParallel: isParallel ?? true };
}

const tool = z.object({
  type: z.literal("function", "expected a tool of type `function`"),
  function: z.object({
    name: z.string(),
    description: z.string().nullish(),
    parameters: jsonSchema.nullish(),
  }),
});

/**
 * What the request's client brings to the model's program, and how many of the messages after the
 * question it takes; `null`: the program takes no tools, and the client brings none.
 *
 * @throws ApiError 400, naming the tool or the message that does not fit
 */
export function clientToolsOf(
  { sent, after }: { readonly sent: SentTools; readonly after: readonly ChatMessage[] },
  { program, id }: ServedModel,
): { readonly clientTools: ClientTools; readonly messagesRead: number } | null {
  if (takersOfClientTools(program).length === 0) {
    if (sent.tools.length === 0) return null;
    throw unsupported(
      "tools",
      `\`tools\` is not supported by the model \`${id}\`: it is a program whose steps do not call the client's tools. Leave out \`tools\`, or let an agent of the program take them (\`clientTools: true\`).`,
    );
  }
  const tools = sent.tools.map(toolOf);
  const found = clientToolsProblem(program, tools);
  if (found !== null) {
    const param = `tools[${found.index}]`;
    throw new ApiError(400, "invalid_parameter", `\`${param}\`: ${found.problem}.`, { param });
  }
  const { steps, messagesRead } = clientExchange(after);
  const { isParallel } = sent;
  return {
    clientTools: { tools, isAllowed: isAllowed(sent), isParallel, steps },
    messagesRead,
  };
}

function toolOf(given: unknown, index: number): LmTool {
  const parsed = tool.safeParse(given);
  if (!parsed.success) throw invalidParameter(parsed.error, `tools[${index}]`);
  const { name, description, parameters } = parsed.data.function;
  return {
    name,
    description: description ?? "",
    parameters: parameters ?? { type: "object", properties: {} },
  };
}

function isAllowed({ tools, choice }: SentTools): boolean {
  if (tools.length === 0 || choice === "auto") return true;
  if (choice === "none") return false;
  throw unsupported(
    "tool_choice",
    "`tool_choice`: this server takes `auto` and `none`, since the program itself decides which step to take. To get an object, set a JSON schema as the response format.",
  );
}

function unsupported(param: string, message: string): ApiError {
  return new ApiError(400, "unsupported_parameter", message, { param });
}

const call = z.object({
  id: z.string(),
  function: z.object({
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "expected the name of a tool"),
    arguments: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .nullish()
      .transform((given) => (typeof given === "string" ? given : JSON.stringify(given ?? {}))),
  }),
});

/** A call of an earlier reply, and the parameter that holds it. */
interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly param: string;
}

interface OpenStep {
  text: string;
  readonly calls: MadeCall[];
  /** By id of the call. */
  readonly results: Map<string, string>;
}

/**
 * Reads what a client exchanged with the model since its question: messages of the assistant with
 * calls, each followed by the results. Other messages after the question are not read.
 *
 * @throws ApiError 400 for a call without a result, and a result without a call
 */
function clientExchange(after: readonly ChatMessage[]): {
  readonly steps: readonly ClientStep[];
  readonly messagesRead: number;
} {
  const steps: OpenStep[] = [];
  let messagesRead = 0;
  for (const message of after) {
    const calls = callsOf(message);
    if (calls.length > 0) {
      let step = steps.at(-1);
      // `/v1/responses` has an item for each call of a step.
      if (step === undefined || step.results.size > 0) {
        step = { text: "", calls: [], results: new Map() };
        steps.push(step);
      }
      step.text += message.text;
      step.calls.push(...calls);
    } else if (message.role === "tool" && message.callId !== undefined) {
      addResult(steps.at(-1), message);
    } else continue;
    messagesRead += 1;
  }
  return { steps: steps.map(closed), messagesRead };
}

function callsOf({ role, calls, param }: ChatMessage): readonly MadeCall[] {
  if (role !== "assistant" || !Array.isArray(calls)) return [];
  return calls.map((given: unknown, index) => {
    const within = `${param}.tool_calls[${index}]`;
    const parsed = call.safeParse(given);
    if (!parsed.success) throw invalidParameter(parsed.error, within);
    return { id: parsed.data.id, ...parsed.data.function, param: within };
  });
}

function addResult(
  step: OpenStep | undefined,
  { callId, text, images: [image], param }: ChatMessage,
): void {
  if (image !== undefined) throw unreadPart(image.param, image.type, "tool results as text");
  const isCalled = step?.calls.some(({ id }) => id === callId) === true;
  if (typeof callId !== "string" || !isCalled) {
    throw invalid(`${param}.tool_call_id`, "no earlier call has this id");
  }
  step.results.set(callId, text);
}

function closed({ text, calls, results }: OpenStep): ClientStep {
  return {
    text,
    calls: calls.map(({ id, name, arguments: given, param }) => {
      const result = results.get(id);
      if (result === undefined) throw invalid(param, "no tool message with its result follows");
      return { name, arguments: given, result };
    }),
  };
}

function invalid(param: string, problem: string): ApiError {
  return new ApiError(400, "invalid_parameter", `\`${param}\`: ${problem}.`, { param });
}
