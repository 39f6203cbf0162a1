import { LmError } from "../../errors/index.ts";
import type {
  Json,
  JsonObject,
  JsonSchema,
  LmMessage,
  LmPart,
  LmRequest,
  ResponseSchema,
  Sampling,
} from "../../contract/index.ts";
import { textOfContent } from "../../contract/index.ts";
import { isObject } from "../../internal/index.ts";
import type { ChatBody } from "../client/chat-body.ts";
import { decodableSchema } from "./decodable-schema.ts";
import type { ThinkingTemplate } from "./thinking-template.ts";

/** The sampling parameters that the server knows: vLLM's are a superset of OpenAI's. */
export type Dialect = "vllm" | "openai";

export interface ChatRequestOptions {
  readonly model: string;
  readonly dialect: Dialect;
  readonly thinkingTemplate: ThinkingTemplate;
  /** Whether lengths of strings are sent. */
  readonly boundedStrings: boolean;
  readonly isStreamed: boolean;
}

/**
 * The body of `POST /chat/completions`. Every sampling parameter is sent, whatever its value,
 * because a server fills gaps from the model repository.
 */
export function chatRequest(request: LmRequest, options: ChatRequestOptions): ChatBody {
  const { messages, sampling, seed, responseSchema, topLogprobs, thinking, extraBody } = request;
  const body = {
    model: options.model,
    messages: messages.map(wireMessage),
    ...samplingKeys(sampling),
    ...(options.dialect === "vllm" ? vllmKeys(sampling) : onlyOpenAi(sampling)),
    seed,
    ...(responseSchema === undefined
      ? {}
      : { response_format: responseFormat(responseSchema, options) }),
    ...(request.tools === undefined ? {} : toolKeys(request.tools, request.toolChoice, options)),
    ...(topLogprobs === undefined ? {} : { logprobs: true, top_logprobs: topLogprobs }),
    ...(options.isStreamed ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
  const thinkingKeys = thinking === undefined ? {} : options.thinkingTemplate(thinking);
  return extraBody === undefined
    ? { ...body, ...thinkingKeys }
    : extended({ ...body, ...thinkingKeys }, extraBody);
}

/**
 * The same messages with the system's text before that of the first user message, for models whose
 * chat template knows no system role.
 */
export function withoutSystem(messages: readonly LmMessage[]): readonly LmMessage[] {
  const system = messages.filter(({ role }) => role === "system");
  const others = messages.filter(({ role }) => role !== "system");
  const text = system.map(({ content }) => textOfContent(content)).join("\n\n");
  const at = others.findIndex(({ role }) => role === "user");
  if (text === "") return others;
  if (at === -1) return [{ role: "user", content: text }, ...others];
  return others.map((message, index) =>
    index === at ? { ...message, content: after(text, message.content) } : message,
  );
}

function after(text: string, content: LmMessage["content"]): LmMessage["content"] {
  return typeof content === "string"
    ? `${text}\n\n${content}`
    : [{ type: "text", text: `${text}\n\n` }, ...content];
}

/**
 * A request whose first message shows the shape of the reply, with its labels, for servers that
 * hold replies to no schema. There, it took Qwen2.5-Coder-0.5B from .633 to .867 on question types.
 * Prompts do not show it where a schema holds the reply: models then favour the first label.
 */
export function withoutSchema({ responseSchema, ...request }: LmRequest): LmRequest {
  const [first, ...others] = request.messages;
  if (responseSchema === undefined || first === undefined) return request;
  const shape = `Reply with JSON alone: ${shapeOf(responseSchema.schema)}`;
  return { ...request, messages: [withLine(first, shape), ...others] };
}

function withLine(message: LmMessage, line: string): LmMessage {
  const { content } = message;
  return typeof content === "string"
    ? { ...message, content: `${content}\n\n${line}` }
    : { ...message, content: [...content, { type: "text", text: line }] };
}

/** `{"label":"yes"|"no","reason":"...","parts":[{"page":...}]}`. */
function shapeOf(schema: JsonSchema): string {
  const { enum: options, const: constant, anyOf, properties, additionalProperties } = schema;
  if (Array.isArray(options)) return options.map((option) => JSON.stringify(option)).join("|");
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(anyOf)) return anyOf.map(shapeIn).join("|");
  switch (schema["type"]) {
    case "object": {
      const members = Object.entries({
        ...(properties as JsonObject | undefined),
        ...(additionalProperties && { "...": additionalProperties }),
      });
      return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${shapeIn(value)}`).join(",")}}`;
    }
    case "array":
      return `[${((schema["prefixItems"] ?? [schema["items"] ?? null]) as readonly Json[]).map(shapeIn).join(",")}]`;
    case "string":
      return '"..."';
    case "boolean":
      return "true|false";
    case "null":
      return "null";
    default:
      return "...";
  }
}

function shapeIn(value: Json): string {
  return isObject(value) ? shapeOf(value) : "...";
}

function wireMessage({
  role,
  content,
  toolCalls,
  toolCallId,
}: LmMessage): ChatBody["messages"][number] {
  const wire = {
    role,
    content: typeof content === "string" ? content : content.map(wirePart),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
    ...(toolCalls && {
      tool_calls: toolCalls.map(({ id, name, arguments: given }) => ({
        id,
        type: "function",
        function: { name, arguments: given },
      })),
    }),
  };
  return wire as ChatBody["messages"][number];
}

function wirePart(part: LmPart): object {
  if (part.type === "text") return { type: "text", text: part.text };
  if (part.type === "image") return { type: "image_url", image_url: { url: part.url } };
  // Servers want a name; those that take addresses take them in the place of the data.
  return { type: "file", file: { filename: part.name ?? "document", file_data: part.url } };
}

function toolKeys(
  tools: NonNullable<LmRequest["tools"]>,
  choice: LmRequest["toolChoice"],
  options: Pick<ChatRequestOptions, "boundedStrings">,
): Partial<ChatBody> {
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters: decodableSchema(parameters, options) },
    })),
    tool_choice: choice ?? "auto",
  };
}

function samplingKeys(sampling: Sampling): Partial<ChatBody> {
  return {
    temperature: sampling.temperature,
    top_p: sampling.topP,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    max_completion_tokens: sampling.maxCompletionTokens,
    stop: [...sampling.stop],
  };
}

function vllmKeys({ topK, minP, repetitionPenalty }: Sampling): Partial<ChatBody> {
  // Older servers reject 0 for "off"; newer ones accept both.
  return { top_k: topK === 0 ? -1 : topK, min_p: minP, repetition_penalty: repetitionPenalty };
}

function onlyOpenAi({ topK, minP, repetitionPenalty }: Sampling): Partial<ChatBody> {
  if (topK === 0 && minP === 0 && repetitionPenalty === 1) return {};
  throw new LmError({
    code: "lm-unsupported",
    problem: "The `openai` dialect does not support top-k, min-p or a repetition penalty",
    expected: "`topK: 0`, `minP: 0`, `repetitionPenalty: 1`",
    got: JSON.stringify({ topK, minP, repetitionPenalty }),
    fix: 'Turn them off, or use `dialect: "vllm"` if the server supports them.',
  });
}

function responseFormat(
  { name, schema, holdsLengths }: ResponseSchema,
  { boundedStrings, dialect }: Pick<ChatRequestOptions, "boundedStrings" | "dialect">,
): NonNullable<ChatBody["response_format"]> {
  // Others may refuse a schema with lengths.
  const isHeld = holdsLengths === true && dialect === "vllm";
  const sent = decodableSchema(schema, { boundedStrings: boundedStrings || isHeld });
  return { type: "json_schema", json_schema: { name, schema: sent, strict: true } };
}

/** Template arguments are merged with the given ones; any other key may come from one side only. */
function extended(body: ChatBody, extraBody: JsonObject): ChatBody {
  const repeated = Object.keys(extraBody).filter((key) => key in body && key !== templateKey);
  if (repeated.length > 0) {
    throw new LmError({
      code: "lm-unsupported",
      problem: `\`extraBody\` repeats ${repeated.map((key) => `\`${key}\``).join(", ")}`,
      expected: "keys that the request does not set itself",
      fix: "Set `sampling`, `seed`, `thinking` and the like instead.",
    });
  }
  const templateArguments = { ...asObject(extraBody[templateKey]), ...asObject(body[templateKey]) };
  return {
    ...body,
    ...extraBody,
    ...(templateKey in body ? { [templateKey]: templateArguments } : {}),
  };
}

const templateKey = "chat_template_kwargs";

function asObject(value: JsonObject[string] | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}
