import type { LmReply, LmRequest } from "../../../src/contract/index.ts";
import { EspalierError, LmError } from "../../../src/errors/index.ts";
import { checkCount, orAborted, systemClock } from "../../../src/internal/index.ts";
import type { Connection, WrapperOptions } from "../../../src/lm/index.ts";
import { wrapped } from "../../../src/lm/index.ts";
import { chatPrompt } from "./chat-prompt.ts";
import { generate, grammarOf } from "./generate.ts";
import { jsonGrammar } from "./json-grammar.ts";
import { isEncoder, loadModel } from "./llama-engine.ts";
import type { PullOptions } from "./models/model-file.ts";
import { modelFile } from "./models/model-file.ts";
import { replyParts } from "./reply-text.ts";
import { sequences } from "./sequences.ts";

export interface LocalOptions extends Omit<WrapperOptions, "concurrency" | "retry"> {
  /**
   * A name of `espalier models`, such as `smollm2-135m`; the path of a GGUF file; or
   * `hf:OWNER/REPO/FILE.gguf`. What is not here yet is fetched.
   */
  readonly model: string;
  /**
   * Calls in work at a time. They share the weights; each has memory for `contextTokens`.
   * @default 4
   */
  readonly concurrency?: number;
  /**
   * Tokens of a prompt and its reply together, at most what the model was trained on.
   * @default 4096
   */
  readonly contextTokens?: number;
  /** Threads of each of up to 4 contexts. @default the cores, shared out among the contexts */
  readonly threads?: number;
  /** How weights that are not here yet are fetched. */
  readonly pull?: PullOptions;
}

/**
 * A trained model inside this process, on the CPU, by llama.cpp: no server, no key. Weights and
 * prompts decide the reply. With several calls at a time, sums may round differently from run to
 * run; with one, a reply depends on no other call, to the last bit.
 *
 * Calls share batches, and a prompt that begins as an earlier one is read from where they differ.
 * JSON schemas are held by a grammar. Log-probabilities are those among the tokens that the grammar
 * and the sampling parameters leave.
 *
 * @example
 * await using lm = await connectLocal({ model: "smollm2-135m" });
 * @throws EspalierError `part-missing` without node-llama-cpp; `lm-unreachable` where weights
 *   cannot be fetched; `file-missing`, `file-malformed`, `option-invalid`
 */
export async function connectLocal({
  model: name,
  concurrency = 4,
  contextTokens = 4096,
  threads,
  pull,
  ...wrappers
}: LocalOptions): Promise<Connection> {
  checkCount("concurrency", concurrency);
  checkCount("contextTokens", contextTokens, 256);
  if (threads !== undefined) checkCount("threads", threads);
  const path = await modelFile(name, pull);
  const { llama, model, identity } = await loadModel(path);
  if (isEncoder(model)) throw noLm(identity.model);
  const size = Math.min(contextTokens, model.trainContextSize);
  const places = await sequences(model, { concurrency, contextTokens: size, threads });
  const prompts = chatPrompt(model.fileInfo.metadata.tokenizer.chat_template ?? chatMl, {
    model: identity.model,
    tokens: {
      bos_token: model.tokens.bosString ?? "",
      eos_token: model.tokens.eosString ?? "",
    },
  });
  const grammars = new Map<string, ReturnType<typeof grammarOf>>();
  const compiled = (request: LmRequest): ReturnType<typeof grammarOf> => {
    const text = grammarFor(request);
    if (text === undefined) return grammarOf(llama, model, undefined);
    const known = grammars.get(text) ?? grammarOf(llama, model, text);
    grammars.set(text, known);
    return known;
  };

  async function reply(
    request: LmRequest,
    { signal, onText }: { signal: AbortSignal | undefined; onText?: (piece: string) => void },
  ): Promise<LmReply> {
    const grammar = await compiled(request);
    const prompt = model.tokenize(prompts.text(request), true);
    const room = places.contextTokens - prompt.length;
    if (room < 1) throw overflow(prompt.length, places.contextTokens, identity.model);
    const startMs = systemClock.now();
    const { held, written } = await places.use(
      prompt,
      async (sequence, held) => ({
        held,
        written: await generate(sequence, {
          llama,
          model,
          unread: prompt.slice(held),
          pieceTokens: places.pieceTokens,
          prompt,
          request,
          grammar,
          maxTokens: Math.min(room, request.sampling.maxCompletionTokens),
          signal,
          onText,
        }),
      }),
      signal,
    );
    const offered = request.toolChoice === "none" ? [] : (request.tools ?? []);
    const parts = replyParts(
      written.text,
      offered.map(({ name: tool }) => tool),
    );
    return {
      ...parts,
      finishReason: parts.toolCalls === undefined ? written.finishReason : "tool-calls",
      usage: {
        promptTokens: prompt.length,
        completionTokens: written.completionTokens,
        cachedPromptTokens: held,
        reasoningTokens: null,
      },
      ...(request.topLogprobs !== undefined && { logprobs: written.logprobs }),
      model: identity.model,
      latencyMs: systemClock.now() - startMs,
      source: "server",
    };
  }

  const lm = wrapped(
    {
      identity,
      doGenerate: (request, { signal, onDelta } = {}) => {
        signal?.throwIfAborted();
        const onText = onDelta && ((content: string) => onDelta({ content }));
        // The step of llama.cpp under way goes on; the place is free when it has ended.
        return orAborted(reply(request, { signal, ...(onText && { onText }) }), signal);
      },
    },
    { ...wrappers, concurrency },
  );
  return {
    ...lm,
    [Symbol.asyncDispose]: async () => {
      await lm[Symbol.asyncDispose]();
      await places[Symbol.asyncDispose]();
      await model.dispose();
    },
  };
}

/** What a base model without a chat template is asked in. */
const chatMl =
  "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n";

/** A reply that must be JSON, or must begin with a call, is held to it. */
function grammarFor({ responseSchema, tools, toolChoice }: LmRequest): string | undefined {
  if (tools !== undefined && toolChoice === "required") {
    const call = {
      anyOf: tools.map(({ name, parameters }) => ({
        type: "object",
        properties: { name: { const: name }, arguments: parameters },
        required: ["name", "arguments"],
      })),
    };
    return jsonGrammar(call, { before: "<tool_call>\n", after: "\n</tool_call>" });
  }
  if (tools !== undefined && toolChoice !== "none") return undefined;
  return responseSchema && jsonGrammar(responseSchema.schema);
}

function overflow(tokens: number, contextTokens: number, model: string): LmError {
  return new LmError({
    code: "lm-context-overflow",
    problem: `The prompt does not fit into the context of "${model}"`,
    expected: `at most ${contextTokens - 1} tokens`,
    got: `${tokens} tokens`,
    fix: "Shorten the prompt, or raise `contextTokens` if the model was trained on longer contexts.",
  });
}

function noLm(model: string): EspalierError {
  return new EspalierError({
    code: "option-invalid",
    problem: `"${model}" cannot generate text`,
    expected: "a language model",
    fix: "Connect an embedder with `connectLocalEmbedder()`, or name it as `embedder` in the servers file.",
  });
}
