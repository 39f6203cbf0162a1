import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What the model does about one question. */
export interface Script {
  readonly question: string;
  readonly calls: readonly { readonly tool: string; readonly input: object }[];
  readonly outputs: Readonly<Record<string, string>>;
}

/** A model's server, which follows scripts. */
export interface ScriptedModel extends AsyncDisposable {
  readonly url: string;
  /** Requests so far. */
  readonly requests: number;
}

interface Body {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly unknown[];
}

/**
 * A mock that makes the calls of a question's script one by one and then writes its outputs: by
 * native tool calls where tools are in the request, and else in the fields of DSPy's prompts. It
 * speaks OpenAI's chat completions over HTTP.
 */
export async function scriptedModel(scripts: readonly Script[]): Promise<ScriptedModel> {
  let requests = 0;
  const server = createServer((incoming, outgoing) => {
    let text = "";
    incoming.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    incoming.on("end", () => {
      requests++;
      const body = JSON.parse(text) as Body;
      outgoing.setHeader("content-type", "application/json");
      outgoing.end(JSON.stringify(completion(body.model, replyTo(body, scripts))));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get requests() {
      return requests;
    },
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface Reply {
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
}

function replyTo({ messages, tools }: Body, scripts: readonly Script[]): Reply {
  const asked = textOf(messages.findLast(({ role }) => role === "user")?.content);
  const all = messages.map(({ content }) => textOf(content)).join("\n");
  const script = scripts.find(({ question }) => all.includes(question));
  if (script === undefined) throw new Error(`No script for: ${asked.slice(0, 200)}`);
  const { calls, outputs } = script;
  if (tools !== undefined) {
    const call = calls[messages.filter(({ role }) => role === "tool").length];
    if (call === undefined) return { content: JSON.stringify(outputs) };
    const { tool: name, input } = call;
    const given = { name, arguments: JSON.stringify(input) };
    return {
      content: null,
      tool_calls: [{ id: `call-${name}`, type: "function", function: given }],
    };
  }
  if (!all.includes("next_tool_name"))
    return { content: inFields({ reasoning: "So.", ...outputs }) };
  const call = calls[asked.match(/\[\[ ## tool_name_\d+ ## \]\]/g)?.length ?? 0];
  return {
    content: inFields({
      next_thought: "Next.",
      next_tool_name: call?.tool ?? "finish",
      next_tool_args: JSON.stringify(call?.input ?? {}),
    }),
  };
}

/** As DSPy's chat adapter reads them. */
function inFields(fields: Readonly<Record<string, string>>): string {
  return [...Object.entries(fields), ["completed", ""]]
    .map(([name, value]) => `[[ ## ${name} ## ]]\n${value}`)
    .join("\n\n");
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content ?? "");
}

function completion(model: string, message: Reply): object {
  const reason = message.tool_calls === undefined ? "stop" : "tool_calls";
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model,
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: reason }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}
