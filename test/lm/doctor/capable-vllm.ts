import type { Answer, ReceivedRequest } from "../../support/vllm-server.ts";
import { chat, refuse } from "../../support/vllm-server.ts";

/** A chat route that does what vLLM does with all that a trial may ask of it. */
export function capableVllm({
  reasoningKey = "reasoning",
  hitTokens = () => {},
  hasToolParser = true,
}: {
  /** As with `--enable-auto-tool-choice`. */
  readonly hasToolParser?: boolean;
  readonly reasoningKey?: "reasoning" | "reasoning_content" | "content";
  /** Hears how many tokens of a repeated prompt were cached. */
  readonly hitTokens?: (tokens: number) => void;
} = {}): Answer {
  const seen = new Set<string>();
  return (request, response) => {
    const { body } = request;
    const problem = problemIn(request);
    if (problem !== undefined) return refuse(400, problem)(request, response);
    const prompt = JSON.stringify(body.messages);
    if (seen.has(prompt) && prompt.length > 1_000) hitTokens(288);
    seen.add(prompt);
    if (body.tools !== undefined) {
      if (body.tool_choice === "auto" && !hasToolParser) {
        return refuse(
          400,
          '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        )(request, response);
      }
      const keys = JSON.stringify(body.messages).includes("twice") ? ["a", "b"] : ["a"];
      const calls = keys.map((key) => ({
        id: `chatcmpl-tool-${key}`,
        type: "function",
        function: { name: "look_up", arguments: JSON.stringify({ key }) },
      }));
      const message = { role: "assistant", content: null, tool_calls: calls };
      const choices = [{ index: 0, message, logprobs: null, finish_reason: "tool_calls" }];
      return chat({ content: "", envelope: { choices } })(request, response);
    }
    const isThinking = body.chat_template_kwargs?.enable_thinking ?? true;
    const text = contentFor(request);
    if (!isThinking) return chat({ content: text })(request, response);
    if (reasoningKey === "content") {
      return chat({ content: `<think>\nThe user wants one word.\n</think>\n${text}` })(
        request,
        response,
      );
    }
    const message = {
      role: "assistant",
      content: text,
      [reasoningKey]: "The user wants one word.",
    };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: "stop" }];
    return body.stream === true
      ? chat({ content: text, reasoning: "The user wants one word." })(request, response)
      : chat({ content: text, envelope: { choices } })(request, response);
  };
}

function contentFor({ body }: ReceivedRequest): string {
  const word = body.response_format?.json_schema.schema.properties.word?.enum[0];
  if (word !== undefined) return JSON.stringify({ word });
  const field = body.response_format?.json_schema.schema.properties.text;
  if (field !== undefined) return JSON.stringify({ text: field.enum?.[0] ?? "\\" });
  if (body.structured_outputs !== undefined) return body.structured_outputs.choice[0];
  return body.temperature === 0 ? "yes" : `ox, cat, animal number ${body.seed}`;
}

/** The wordings are vLLM's. */
function problemIn({ body }: ReceivedRequest): string | undefined {
  if (body.top_logprobs > 20) {
    return `Requested sample logprobs of ${body.top_logprobs}, which is greater than max allowed: 20`;
  }
  if (body.max_completion_tokens > 4096) {
    return "This model's maximum context length is 4096 tokens. However, you requested 4108 tokens.";
  }
  if (typeof body.top_k === "string") return "top_k: Input should be a valid integer";
  if (typeof body.priority === "string") return "priority: Input should be a valid integer";
  if (body.cache_salt === "")
    return "Parameter 'cache_salt' must be a non-empty string if provided.";
  return undefined;
}
