import type { Answer } from "./answer.ts";
import { json } from "./answer.ts";
import type { BodyReader } from "./body-reader.ts";
import type { SpoilContent } from "./chat-completions.ts";
import { chatCompletions } from "./chat-completions.ts";
import type { Engine } from "./engine.ts";
import { detokenizeText, embeddings, rerank, score, tokenizeText } from "./text-routes.ts";

export interface Route {
  /** Whether faults and latency apply: true for routes that run a model. */
  readonly isModelCall: boolean;
  answer(body: BodyReader, engine: Engine, spoil: SpoilContent): Answer | Promise<Answer>;
}

/** By method and path. */
export const routes: ReadonlyMap<string, Route> = new Map([
  ["GET /v1/models", get((engine) => modelList(engine))],
  ["GET /health", get(() => ({}))],
  ["GET /ping", get(() => ({}))],
  ["GET /version", get(() => ({ version: "0.0.0+rehearsal" }))],
  ["POST /v1/chat/completions", { isModelCall: true, answer: chatCompletions }],
  ["POST /v1/embeddings", { isModelCall: true, answer: embeddings }],
  ["POST /v1/rerank", { isModelCall: true, answer: rerank }],
  ["POST /rerank", { isModelCall: true, answer: rerank }],
  ["POST /v2/rerank", { isModelCall: true, answer: rerank }],
  ["POST /v1/score", { isModelCall: true, answer: score }],
  ["POST /score", { isModelCall: true, answer: score }],
  ["POST /tokenize", { isModelCall: false, answer: tokenizeText }],
  ["POST /detokenize", { isModelCall: false, answer: detokenizeText }],
]);

function get(bodyOf: (engine: Engine) => unknown): Route {
  return { isModelCall: false, answer: (_body, engine) => json(bodyOf(engine)) };
}

function modelList({ model, maxModelLength }: Engine): unknown {
  return {
    object: "list",
    data: [
      {
        id: model,
        object: "model",
        created: 0,
        owned_by: "rehearsal",
        root: model,
        parent: null,
        max_model_len: maxModelLength,
      },
    ],
  };
}
