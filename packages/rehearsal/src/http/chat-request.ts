import type {
  Json,
  JsonObject,
  LmMessage,
  LmPart,
  LmRequest,
  LmTool,
  LmToolCall,
  Sampling,
} from "../../../../src/contract/index.ts";
import { imageUrlProblem } from "../../../../src/internal/index.ts";
import { promptTokens } from "../model/index.ts";
import type { BodyReader } from "./body-reader.ts";
import { Refusal } from "./refusal.ts";

export interface ChatRequest {
  readonly request: LmRequest;
  readonly count: number;
  readonly isStreamed: boolean;
  readonly hasUsageEvent: boolean;
  /** Whether the request asks for JSON. */
  readonly isJson: boolean;
}

/** vLLM's cap unless it is started with another one. */
const maxLogprobs = 20;

/**
 * Reads the body of a chat completion as vLLM does: validates known keys and ignores unknown ones.
 */
export function readChatRequest(body: BodyReader, maxModelLength: number): ChatRequest {
  const messages = readMessages(body.raw["messages"]);
  const isStreamed = body.flag("stream");
  const streamOptions = body.object("stream_options");
  if (streamOptions !== undefined && !isStreamed) {
    throw new Refusal(
      400,
      "Stream options can only be defined when `stream=True`.",
      "stream_options",
    );
  }
  const responseSchema = readSchema(body);
  const topLogprobs = readTopLogprobs(body);
  const thinking = readThinking(body);
  const structured = body.object("structured_outputs")?.raw;
  const prompt = promptTokens({ messages });
  return {
    request: {
      messages,
      sampling: readSampling(body, maxModelLength, prompt),
      seed: (body.integer("seed", -(2 ** 63), 2 ** 64) ?? 0) >>> 0,
      ...(responseSchema === undefined ? {} : { responseSchema }),
      ...readTools(body),
      ...(topLogprobs === undefined ? {} : { topLogprobs }),
      ...(thinking === undefined ? {} : { thinking }),
      ...(structured === undefined ? {} : { extraBody: { structured_outputs: structured } }),
    },
    count: body.integer("n", 1, 128) ?? 1,
    isStreamed,
    hasUsageEvent: streamOptions?.flag("include_usage") ?? false,
    isJson: responseSchema !== undefined,
  };
}

function readMessages(value: Json | undefined): readonly LmMessage[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new Refusal(
      400,
      "`messages`: Field required, a list of at least one message",
      "messages",
    );
  }
  return value.map((message: Json, index) => {
    const { role, content, tool_calls: called, tool_call_id: id } = asObject(message) ?? {};
    const read = contentOf(content);
    const isRole = role === "system" || role === "user" || role === "assistant" || role === "tool";
    if ((!isRole && role !== "developer") || read === undefined) {
      throw new Refusal(
        400,
        `\`messages.${index}\`: Input should be a message with text or images`,
        "messages",
      );
    }
    const toolCalls = Array.isArray(called) ? called.map(toolCallOf) : [];
    return {
      role: isRole ? role : "system",
      content: read,
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(typeof id === "string" && { toolCallId: id }),
    };
  });
}

function toolCallOf(call: Json): LmToolCall {
  const { id, function: asked } = asObject(call) ?? {};
  const { name, arguments: given } = asObject(asked) ?? {};
  return { id: asText(id), name: asText(name), arguments: asText(given) };
}

function readTools(body: BodyReader): Pick<LmRequest, "tools" | "toolChoice"> {
  const listed = body.raw["tools"];
  if (!Array.isArray(listed) || listed.length === 0) return {};
  const choice = body.raw["tool_choice"];
  const tools = listed.map((tool: Json): LmTool => {
    const { name, description, parameters } = asObject(asObject(tool)?.["function"]) ?? {};
    return {
      name: asText(name),
      description: asText(description),
      parameters: asObject(parameters) ?? {},
    };
  });
  return {
    tools,
    ...((choice === "none" || choice === "required") && { toolChoice: choice }),
  };
}

function asText(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Text, or a list of texts and images; an assistant message may have no text. */
function contentOf(content: Json | undefined): LmMessage["content"] | undefined {
  if (typeof content === "string") return content;
  if (content === null) return "";
  if (!Array.isArray(content)) return undefined;
  const parts = content.map((part: Json) => partOf(asObject(part) ?? {}));
  if (!parts.every((part) => part !== undefined)) return undefined;
  return parts.some(({ type }) => type === "image")
    ? parts
    : parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

function partOf({ type, text, image_url: image }: JsonObject): LmPart | undefined {
  if (typeof text === "string") return { type: "text", text };
  const url = asObject(image)?.["url"];
  if (type !== "image_url" || typeof url !== "string") return undefined;
  return imageUrlProblem(url) === null ? { type: "image", url } : undefined;
}

function readSchema(body: BodyReader): LmRequest["responseSchema"] {
  const format = body.object("response_format");
  const constraint = body.object("structured_outputs");
  const inStructured = asObject(constraint?.raw["json"]);
  if (inStructured !== undefined) return { name: "structured", schema: inStructured };
  switch (format?.text("type")) {
    case undefined:
    case "text":
      return undefined;
    case "json_object":
      return { name: "json_object", schema: anyObject };
    case "json_schema": {
      const held = format?.object("json_schema");
      const schema = asObject(held?.raw["schema"]);
      if (schema === undefined) {
        throw new Refusal(
          400,
          "When response_format type is 'json_schema', the 'json_schema' field must be provided.",
          "response_format",
        );
      }
      return { name: held?.text("name") ?? "schema", schema };
    }
    default:
      throw new Refusal(400, "`response_format.type` is not supported", "response_format");
  }
}

const anyObject: JsonObject = {
  type: "object",
  properties: { answer: { type: "string", description: "The answer." } },
};

function readTopLogprobs(body: BodyReader): number | undefined {
  const top = body.integer("top_logprobs", 0, maxLogprobs);
  const isAsked = body.flag("logprobs");
  if (top !== undefined && top > 0 && !isAsked) {
    throw new Refusal(
      400,
      "when using `top_logprobs`, `logprobs` must be set to true.",
      "top_logprobs",
    );
  }
  return isAsked ? (top ?? 0) : undefined;
}

function readThinking(body: BodyReader): boolean | undefined {
  const template = body.object("chat_template_kwargs");
  const held = template?.raw["enable_thinking"] ?? template?.raw["thinking"];
  if (typeof held === "boolean") return held;
  const effort = body.text("reasoning_effort");
  return effort === undefined ? undefined : effort !== "low" && effort !== "none";
}

function readSampling(body: BodyReader, maxModelLength: number, prompt: number): Sampling {
  const asked =
    body.integer("max_completion_tokens", 1, 2 ** 31) ?? body.integer("max_tokens", 1, 2 ** 31);
  const needed = prompt + (asked ?? 1);
  if (needed > maxModelLength) {
    throw new Refusal(
      400,
      `This model's maximum context length is ${maxModelLength} tokens. However, you requested ` +
        `${needed} tokens (${prompt} in the messages, ${asked ?? 1} in the completion). ` +
        "Please reduce the length of the messages or completion.",
      asked === undefined ? "messages" : "max_completion_tokens",
    );
  }
  return {
    temperature: body.number("temperature", 0, 2) ?? 1,
    topP: body.number("top_p", 0, 1) ?? 1,
    topK: Math.max(0, body.integer("top_k", -1, 2 ** 31) ?? 0),
    minP: body.number("min_p", 0, 1) ?? 0,
    presencePenalty: body.number("presence_penalty", -2, 2) ?? 0,
    frequencyPenalty: body.number("frequency_penalty", -2, 2) ?? 0,
    repetitionPenalty: body.number("repetition_penalty", 0, 100) ?? 1,
    maxCompletionTokens: asked ?? maxModelLength - prompt,
    stop: body.texts("stop") ?? [],
  };
}

function asObject(value: Json | undefined): JsonObject | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : undefined;
}
