import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LanguageModel } from "espalier";
import { openAiCompatible } from "espalier/lm";

/** What a test lets the server say: text, or a whole message, or an HTTP failure. */
export type ScriptedReply =
  | string
  | {
      readonly content?: string | null;
      readonly reasoning?: string;
      /** Calls of tools, by name with their arguments. */
      readonly toolCalls?: readonly (readonly [name: string, given: object | string])[];
      readonly finishReason?: "stop" | "length";
      readonly status?: number;
      readonly body?: string;
      readonly delayMs?: number;
      /** Never answered: it is the client that must give up. */
      readonly isUnanswered?: true;
      /** How the content is cut where a stream is asked for. @default in one piece */
      readonly pieces?: readonly string[];
      /** Whether a stream ends after its pieces, without a finish reason. */
      readonly breaksOff?: true;
    };

/** The request body as it came over the wire. */
export interface ReceivedRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly seed: number;
  readonly model: string;
  readonly max_completion_tokens: number;
  readonly response_format?: { readonly json_schema: { readonly name: string } };
  readonly [key: string]: unknown;
}

export interface ScriptedLm extends AsyncDisposable {
  readonly lm: LanguageModel;
  readonly url: string;
  readonly received: readonly ReceivedRequest[];
}

/** A language model whose server answers as the test says, over real HTTP. */
export async function scriptedLm(
  answer: (request: ReceivedRequest, index: number) => ScriptedReply | Promise<ScriptedReply>,
): Promise<ScriptedLm> {
  const received: ReceivedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    let body = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (chunk: string) => (body += chunk));
    incoming.on("end", () => {
      const request = JSON.parse(body) as ReceivedRequest;
      received.push(request);
      void respond(request, received.length - 1).then(
        ({ status, type, text, delayMs, isUnanswered }) =>
          isUnanswered ||
          setTimeout(() => {
            outgoing.writeHead(status, { "content-type": type });
            outgoing.end(text);
          }, delayMs),
      );
    });
  });
  const respond = async (request: ReceivedRequest, index: number) => {
    const given = await answer(request, index);
    const reply = typeof given === "string" ? { content: given } : given;
    const isStreamed = request["stream"] === true && reply.body === undefined;
    const whole = (): string => reply.body ?? JSON.stringify(completion(reply, request));
    return {
      status: reply.status ?? 200,
      delayMs: reply.delayMs ?? 0,
      isUnanswered: reply.isUnanswered ?? false,
      type: isStreamed ? "text/event-stream" : "application/json",
      text: isStreamed ? streamed(reply, request) : whole(),
    };
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    lm: openAiCompatible({ baseUrl: url, model: "scripted" }),
    url,
    received,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function streamed(
  {
    content,
    reasoning,
    finishReason = "stop",
    toolCalls = [],
    pieces = [content ?? ""],
    breaksOff,
  }: Exclude<ScriptedReply, string>,
  request: ReceivedRequest,
): string {
  const { model } = request;
  const thought = reasoning === undefined ? [] : [{ delta: { reasoning } }];
  const said = pieces.map((piece) => ({ delta: { content: piece } }));
  const reason = toolCalls.length > 0 ? "tool_calls" : finishReason;
  const events = [
    ...[...thought, ...said, ...toolCalls.flatMap(callInPieces)].map((choice) => ({
      model,
      choices: [{ index: 0, ...choice }],
    })),
    ...(breaksOff
      ? []
      : [
          { model, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
          { model, choices: [], usage: usageOf(finishReason, request) },
        ]),
  ];
  return [...events.map((event) => JSON.stringify(event)), "[DONE]"]
    .map((data) => `data: ${data}\n\n`)
    .join("");
}

/** Its name, then its arguments in two pieces. */
function callInPieces(
  [name, given]: readonly [name: string, given: object | string],
  index: number,
): readonly object[] {
  const written = typeof given === "string" ? given : JSON.stringify(given);
  const half = Math.ceil(written.length / 2);
  const piece = (rest: object) => ({ delta: { tool_calls: [{ index, ...rest }] } });
  return [
    piece({
      id: `chatcmpl-tool-${index}`,
      type: "function",
      function: { name, arguments: "" },
    }),
    piece({ function: { arguments: written.slice(0, half) } }),
    piece({ function: { arguments: written.slice(half) } }),
  ];
}

/** A reply that was cut off has used up its tokens. */
function usageOf(finishReason: string, request: ReceivedRequest): object {
  const written = finishReason === "length" ? request.max_completion_tokens : 5;
  return { prompt_tokens: 10, completion_tokens: written, total_tokens: 10 + written };
}

function completion(reply: Exclude<ScriptedReply, string>, request: ReceivedRequest): unknown {
  const { model } = request;
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: reply.content ?? null,
          ...(reply.reasoning === undefined ? {} : { reasoning: reply.reasoning }),
          ...(reply.toolCalls && {
            tool_calls: reply.toolCalls.map(([name, given], index) => ({
              id: `chatcmpl-tool-${index}`,
              type: "function",
              function: {
                name,
                arguments: typeof given === "string" ? given : JSON.stringify(given),
              },
            })),
          }),
        },
        finish_reason: reply.toolCalls ? "tool_calls" : (reply.finishReason ?? "stop"),
      },
    ],
    usage: usageOf(reply.finishReason ?? "stop", request),
  };
}
