import type { Json } from "../../../../src/contract/index.ts";
import { countTokens, tokenId, tokenize, tokenOf } from "../model/index.ts";
import type { Answer } from "./answer.ts";
import { json } from "./answer.ts";
import type { BodyReader } from "./body-reader.ts";
import type { Engine } from "./engine.ts";
import { checkModel } from "./engine.ts";
import { Refusal } from "./refusal.ts";

/** `POST /v1/embeddings`. */
export async function embeddings(body: BodyReader, engine: Engine): Promise<Answer> {
  checkModel(body, engine);
  const input = required(body.texts("input"), "input");
  const format = body.text("encoding_format") ?? "float";
  for (const text of input) fits(countTokens(text), engine);
  const embedder = engine.embedder(body.integer("dimensions", 1, 8_192));
  const { vectors, usage } = await embedder.doEmbed(input);
  return json({
    id: "embd-rehearsal",
    object: "list",
    created: 0,
    model: engine.model,
    data: vectors.map((vector, index) => ({
      index,
      object: "embedding",
      embedding: format === "base64" ? base64Of(vector) : [...vector],
    })),
    usage: promptUsage(usage.promptTokens ?? 0),
  });
}

/** `POST /v1/rerank`. */
export async function rerank(body: BodyReader, engine: Engine): Promise<Answer> {
  checkModel(body, engine);
  const query = required(body.text("query"), "query");
  const documents = required(body.texts("documents"), "documents");
  const topN = body.integer("top_n", 0, 2 ** 31) ?? 0;
  const { results, usage } = await engine.reranker.doRerank({
    query,
    documents,
    // vLLM treats 0 as all.
    topN: topN === 0 ? documents.length : topN,
  });
  return json({
    id: "rerank-rehearsal",
    model: engine.model,
    usage: { prompt_tokens: usage.promptTokens, total_tokens: usage.promptTokens },
    results: results.map(({ index, score }) => ({
      index,
      document: { text: documents[index] ?? "" },
      relevance_score: score,
    })),
  });
}

/** `POST /v1/score`: one text against several, or pairs from two lists of equal length. */
export async function score(body: BodyReader, engine: Engine): Promise<Answer> {
  checkModel(body, engine);
  const left = required(body.texts("text_1") ?? body.texts("queries"), "text_1");
  const right = required(body.texts("text_2") ?? body.texts("documents"), "text_2");
  if (left.length !== 1 && left.length !== right.length) {
    throw new Refusal(400, "Input lengths must be either 1:1, 1:N or N:N", "text_1");
  }
  const scores: number[] = [];
  let promptTokens = 0;
  for (const [index, document] of right.entries()) {
    const query = left[left.length === 1 ? 0 : index] ?? "";
    const reply = await engine.scorer.doScore({ query, documents: [document] });
    scores.push(...reply.scores);
    promptTokens += reply.usage.promptTokens ?? 0;
  }
  return json({
    id: "score-rehearsal",
    object: "list",
    created: 0,
    model: engine.model,
    data: scores.map((value, index) => ({ index, object: "score", score: value })),
    usage: promptUsage(promptTokens),
  });
}

/** `POST /tokenize`, for a prompt or for messages. */
export function tokenizeText(body: BodyReader, engine: Engine): Answer {
  checkModel(body, engine);
  const messages = body.raw["messages"];
  const texts = Array.isArray(messages)
    ? messages.map((message: Json) => JSON.stringify(message))
    : [required(body.text("prompt"), "prompt")];
  const tokens = texts.flatMap(tokenize);
  return json({
    count: tokens.length,
    max_model_len: engine.maxModelLength,
    tokens: tokens.map(tokenId),
    token_strs: body.flag("return_token_strs") ? tokens : null,
  });
}

/** `POST /detokenize`. */
export function detokenizeText(body: BodyReader, engine: Engine): Answer {
  checkModel(body, engine);
  const tokens = body.raw["tokens"];
  const isIds = Array.isArray(tokens) && tokens.every((id) => Number.isSafeInteger(id));
  if (!isIds) throw new Refusal(400, "`tokens`: Input should be a list of integers", "tokens");
  return json({ prompt: (tokens as readonly number[]).map(tokenOf).join("") });
}

function required<TValue>(value: TValue | undefined, key: string): TValue {
  if (value === undefined) throw new Refusal(400, `\`${key}\`: Field required`, key);
  return value;
}

function fits(tokens: number, { maxModelLength }: Engine): void {
  if (tokens <= maxModelLength) return;
  throw new Refusal(
    400,
    `This model's maximum context length is ${maxModelLength} tokens. However, you requested ` +
      `${tokens} tokens in the input. Please reduce the length of the input.`,
    "input",
  );
}

function promptUsage(tokens: number): object {
  return {
    prompt_tokens: tokens,
    total_tokens: tokens,
    completion_tokens: 0,
    prompt_tokens_details: null,
  };
}

/** Little-endian 32-bit floats, whatever the machine's byte order. */
function base64Of(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
}
