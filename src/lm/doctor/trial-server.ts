import type { JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { excerpt } from "../../internal/index.ts";
import type { ChatEnvelope, WireUsage } from "../chat/chat-envelope.ts";
import { chatChunk, chatEnvelope } from "../chat/chat-envelope.ts";
import { textsOf } from "../chat/wire-texts.ts";
import type { ChatBody } from "../client/chat-body.ts";
import { property } from "../client/reply-values.ts";
import { readEnvelope } from "../client/read-envelope.ts";
import type { ServerOptions } from "../client/server-connection.ts";
import { serverConnection } from "../client/server-connection.ts";
import type { Finding, ServerExamination } from "./server-examination.ts";

/** The server under examination, with a meter on the requests. */
export interface TrialServer {
  /** One short greedy request; `more` overrides its keys. */
  chat(more: JsonObject): Promise<ChatEnvelope>;
  /** The same request, streamed: its text and, if the server sent it, its usage. */
  chatStream(
    more: JsonObject,
  ): Promise<{ readonly text: string; readonly usage: WireUsage | null }>;
  /**
   * A path is relative to the base URL; one that begins with `//` is relative to the server's root.
   */
  post(path: string, body: JsonObject): Promise<unknown>;
  /** Text of a route relative to the server's root. */
  text(path: string): Promise<string>;
  spent(): ServerExamination["spent"];
}

export function trialServer({
  model,
  signal,
  ...server
}: ServerOptions & {
  readonly model: string;
  readonly signal?: AbortSignal | undefined;
}): TrialServer {
  const connection = serverConnection(server);
  const root = rootOf(server.baseUrl);
  const spent = { calls: 0, promptTokens: 0, completionTokens: 0 };
  const meter = (usage: unknown): void => {
    const count = (key: string): number => {
      const value = property(usage, key);
      return typeof value === "number" ? value : 0;
    };
    spent.promptTokens += count("prompt_tokens");
    spent.completionTokens += count("completion_tokens");
  };
  const bodyOf = (more: JsonObject): ChatBody => ({
    model,
    messages: [{ role: "user", content: shortPrompt }],
    temperature: 0,
    seed: 0,
    max_completion_tokens: 16,
    ...more,
  });
  const post: TrialServer["post"] = async (path, body) => {
    spent.calls += 1;
    const url = path.startsWith("//") ? `${root}${path.slice(1)}` : path;
    const reply = await connection.post(url, body, { signal });
    meter(property(reply, "usage"));
    return reply;
  };
  return {
    post,
    chat: async (more) => {
      spent.calls += 1;
      const reply = await connection.chat(bodyOf(more), { signal });
      meter(property(reply, "usage"));
      return readEnvelope(chatEnvelope, reply, connection.origin);
    },
    chatStream: async (more) => {
      spent.calls += 1;
      let text = "";
      let usage: WireUsage | null = null;
      const body = bodyOf({ ...more, stream: true });
      for await (const events of connection.chatStream(body, { signal })) {
        for (const event of events) {
          const piece = readEnvelope(chatChunk, event, connection.origin);
          const { content, reasoning } = textsOf(piece.choices[0]?.delta ?? {});
          text += content ?? reasoning ?? "";
          usage = piece.usage ?? usage;
        }
      }
      meter(usage);
      return { text, usage };
    },
    text: (path) => {
      spent.calls += 1;
      return connection.text(`${root}${path}`, { signal });
    },
    spent: () => ({ ...spent }),
  };
}

function rootOf(baseUrl: string): string {
  return baseUrl.replace(/\/v1\/?$/, "").replace(/\/$/, "");
}

/** A prompt with a short answer that no trial asks for. */
const shortPrompt = "Reply with the single word `yes` and nothing else.";

export const supported = (evidence: string): Finding => ({ state: "supported", evidence });
export const unsupported = (evidence: string): Finding => ({ state: "unsupported", evidence });
export const unknown = (evidence: string): Finding => ({ state: "unknown", evidence });

/** The server took the request; it was the model that did not do it. */
export const byModel = (found: Finding): Finding => ({ ...found, limit: "model" });

/** Interprets a fault: a rejection means no, a server failure proves nothing. */
export async function finding(trial: () => Promise<Finding>): Promise<Finding> {
  try {
    return await trial();
  } catch (error) {
    if (!EspalierError.isInstance(error) || error.code === "lm-unreachable") throw error;
    const found = brief(error);
    if (error.code === "lm-stalled") return { ...unknown(found), limit: "time" };
    // A trial that does not fit shows nothing of what it is about.
    if (error.code === "lm-context-overflow") return byModel(unknown(found));
    return error.kind === "infrastructure" ? unknown(found) : unsupported(found);
  }
}

/** Summarises an error in one short phrase. */
export function brief({ code, kind, report }: EspalierError): string {
  const said = report.got ?? report.problem;
  const words = said.replaceAll(/\s+/g, " ").trim();
  const shown = excerpt(words, 70);
  if (code === "lm-not-found") return `not found: ${shown}`;
  return kind === "infrastructure" ? `no usable answer: ${shown}` : `rejected: ${shown}`;
}
