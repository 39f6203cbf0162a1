import { Template } from "@huggingface/jinja";
import type { Json, JsonObject, LmMessage, LmRequest } from "../../../src/contract/index.ts";
import { mediaIn, textOfContent } from "../../../src/contract/index.ts";
import { withoutSystem } from "../../../src/lm/index.ts";
import { LmError, messageOf } from "../../../src/errors/index.ts";
import { getOwn } from "../../../src/internal/index.ts";

/** Writes the messages of a request as the one text that a model continues. */
export interface ChatPrompt {
  /**
   * @throws LmError `lm-unsupported` for pictures, files, and tools that the model does not know;
   *   `lm-request-refused` where the template refuses the messages
   */
  text(request: LmRequest): string;
}

/**
 * The prompt of a model's own chat template, which its GGUF file holds (Jinja, as vLLM renders
 * it). A system message goes to the first user message where the template has no place for one.
 *
 * @param tokens texts of special tokens, by their names in the template (`bos_token`...)
 */
export function chatPrompt(
  template: string,
  { model, tokens }: { readonly model: string; readonly tokens: Readonly<Record<string, string>> },
): ChatPrompt {
  const parsed = new Template(template);
  const render = (messages: readonly Json[], others: JsonObject): string =>
    parsed.render({ ...tokens, messages, add_generation_prompt: true, ...others });
  const keepsSystem = refuses(() => render([wired("system", "s"), wired("user", "u")], {}))
    ? false
    : render([wired("system", "s-kept"), wired("user", "u")], {}).includes("s-kept");
  const knowsTools = /\btools\b/.test(template);

  return {
    text: (request) => {
      refuseMedia(request, model);
      const { messages, tools, toolChoice, thinking, extraBody = {} } = request;
      const asksTools = tools !== undefined && toolChoice !== "none";
      if (asksTools && !knowsTools) {
        throw new LmError({
          code: "lm-unsupported",
          problem: `"${model}" does not support tools: its chat template has no place for them`,
          fix: "Use a model that was trained with tools, such as local:qwen-coder-0.5b.",
        });
      }
      const wire = (keepsSystem ? messages : withoutSystem(messages)).map(wireMessage);
      const others = {
        ...(asksTools && { tools: tools.map(wireTool) }),
        ...(thinking !== undefined && { enable_thinking: thinking }),
        ...templateArguments(extraBody, model),
      };
      try {
        return render(wire, others);
      } catch (error) {
        throw new LmError({
          code: "lm-request-refused",
          problem: `The chat template of "${model}" refuses these messages`,
          got: messageOf(error),
          cause: error,
        });
      }
    },
  };
}

function refuses(attempt: () => unknown): boolean {
  try {
    attempt();
    return false;
  } catch {
    return true;
  }
}

function refuseMedia({ messages }: LmRequest, model: string): void {
  const { images, files } = mediaIn(messages);
  if (!images && !files) return;
  throw new LmError({
    code: "lm-unsupported",
    problem: `"${model}" reads only text`,
    got: images ? "an image" : "a file",
    fix: "Use a server whose model accepts images or files.",
  });
}

function templateArguments(extraBody: JsonObject, model: string): JsonObject {
  const key = "chat_template_kwargs";
  const others = Object.keys(extraBody).filter((name) => name !== key);
  if (others.length > 0) {
    throw new LmError({
      code: "lm-unsupported",
      problem: `"${model}" runs in this process, where these server keys have no meaning`,
      got: `\`extraBody\` with ${others.join(", ")}`,
      expected: `only \`${key}\``,
    });
  }
  return (getOwn(extraBody, key) ?? {}) as JsonObject;
}

function wired(role: LmMessage["role"], content: string): JsonObject {
  return { role, content };
}

function wireMessage({ role, content, toolCalls, toolCallId }: LmMessage): JsonObject {
  return {
    ...wired(role, textOfContent(content)),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
    ...(toolCalls !== undefined && {
      tool_calls: toolCalls.map(({ id, name, arguments: given }) => ({
        id,
        type: "function",
        // Templates write arguments with `tojson`, as vLLM gives them.
        function: { name, arguments: parsedOr(given) },
      })),
    }),
  };
}

function wireTool({
  name,
  description,
  parameters,
}: NonNullable<LmRequest["tools"]>[number]): JsonObject {
  return { type: "function", function: { name, description, parameters } };
}

function parsedOr(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
