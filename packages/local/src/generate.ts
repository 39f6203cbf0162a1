import type { LlamaContextSequence, LlamaModel, Token } from "node-llama-cpp";
import type { FinishReason, GeneratedToken, LmRequest } from "../../../src/contract/index.ts";
import { LmError } from "../../../src/errors/index.ts";
import type { LlamaPackage } from "./llama-engine.ts";

export interface Generated {
  readonly text: string;
  readonly finishReason: Extract<FinishReason, "stop" | "length" | "repetition">;
  readonly completionTokens: number;
  /** Where the request asks for them. */
  readonly logprobs: readonly GeneratedToken[];
}

export interface GenerateOptions {
  readonly llama: LlamaPackage;
  readonly model: LlamaModel;
  /** The prompt's tokens that the sequence does not hold yet; at least one. */
  readonly unread: readonly Token[];
  /** How many of them to read at a time; `undefined` for any number. */
  readonly pieceTokens: number | undefined;
  /** All of the prompt's tokens. */
  readonly prompt: readonly Token[];
  readonly request: LmRequest;
  readonly grammar: Awaited<ReturnType<typeof grammarOf>>;
  readonly maxTokens: number;
  readonly signal: AbortSignal | undefined;
  /** Gets each piece of text that cannot be a part of a stop text. */
  readonly onText: ((piece: string) => void) | undefined;
}

/**
 * Compiles a grammar; `undefined` for none.
 *
 * @throws LmError `lm-unsupported` for one that llama.cpp does not take
 */
export async function grammarOf(
  llama: LlamaPackage,
  model: LlamaModel,
  grammar: string | undefined,
): Promise<InstanceType<LlamaPackage["LlamaGrammar"]> | undefined> {
  try {
    return grammar === undefined ? undefined : new llama.LlamaGrammar(model.llama, { grammar });
  } catch (cause) {
    throw new LmError({
      code: "lm-unsupported",
      problem: "llama.cpp rejects the grammar for the step's outputs",
      expected: "outputs with fewer or simpler parts",
      cause,
    });
  }
}

/** Lets the model write in a sequence until it ends, is stopped, or has used its tokens. */
export async function generate(
  sequence: LlamaContextSequence,
  options: GenerateOptions,
): Promise<Generated> {
  const { llama, model, prompt, request, grammar, maxTokens, signal, onText } = options;
  const { sampling, seed, topLogprobs } = request;
  const written: Token[] = [];
  const logprobs: GeneratedToken[] = [];
  const ending = textUntil(sampling.stop, onText);
  const state = grammar && new llama.LlamaGrammarEvaluationState({ model, grammar });
  // Its types know the literal `true` alone; without it, the map is absent.
  const metadata = { probabilities: (topLogprobs !== undefined) as true };
  const lastPiece = await readToLastPiece(sequence, options);
  const tokens = sequence.evaluateWithMetadata([...lastPiece], metadata, {
    temperature: sampling.temperature,
    topP: sampling.topP,
    topK: sampling.topK,
    minP: sampling.minP,
    seed,
    ...(state && { grammarEvaluationState: state }),
    ...penalties(sampling, prompt, written, prompt.length + maxTokens),
  });
  let shown = 0;
  let text = "";
  for await (const { token, probabilities } of tokens) {
    signal?.throwIfAborted();
    written.push(token);
    if (topLogprobs !== undefined) {
      logprobs.push(withAlternatives(model, token, probabilities, topLogprobs));
    }
    // Decodes from the last whole text on: a letter may take several tokens.
    const more = model.detokenize(written.slice(shown), true, written.slice(0, shown));
    if (!more.endsWith("\uFFFD")) {
      text += more;
      shown = written.length;
      if (ending.isReached(text)) return generated("stop");
    }
    if (written.length >= maxTokens) return generated("length");
    if (isLoop(written)) return generated("repetition");
  }
  return generated("stop");

  function generated(finishReason: Generated["finishReason"]): Generated {
    return {
      text: ending.end(text),
      finishReason,
      completionTokens: written.length,
      logprobs,
    };
  }
}

async function readToLastPiece(
  sequence: LlamaContextSequence,
  { unread, pieceTokens = unread.length, signal }: GenerateOptions,
): Promise<readonly Token[]> {
  let rest = unread;
  while (rest.length > pieceTokens) {
    await sequence.evaluateWithoutGeneratingNewTokens(rest.slice(0, pieceTokens));
    signal?.throwIfAborted();
    rest = rest.slice(pieceTokens);
  }
  return rest;
}

/** Whether the last 256 tokens are a piece of at most 64, over and over. */
function isLoop(written: readonly Token[]): boolean {
  // A look now and then is enough.
  if (written.length < 256 || written.length % 16 !== 0) return false;
  const last = written.slice(-256);
  const repeats = (period: number): boolean =>
    last.every((token, index) => index < period || token === last[index - period]);
  return Array.from({ length: 64 }, (_, index) => index + 1).some(repeats);
}

/** Passes text on as it grows, but for what may be the beginning of a stop text. */
function textUntil(
  stops: readonly string[],
  onText: ((piece: string) => void) | undefined,
): { isReached(text: string): boolean; end(text: string): string } {
  const longest = Math.max(0, ...stops.map((stop) => stop.length));
  let passed = 0;
  const pass = (text: string, until: number): void => {
    if (until <= passed) return;
    onText?.(text.slice(passed, until));
    passed = until;
  };
  const stopIn = (text: string): number => {
    const places = stops.map((stop) => text.indexOf(stop)).filter((index) => index !== -1);
    return places.length === 0 ? -1 : Math.min(...places);
  };
  return {
    isReached: (text) => {
      const index = stopIn(text);
      pass(text, index === -1 ? text.length - Math.max(0, longest - 1) : index);
      return index !== -1;
    },
    end: (text) => {
      const index = stopIn(text);
      const whole = index === -1 ? text : text.slice(0, index);
      pass(whole, whole.length);
      return whole;
    },
  };
}

/**
 * As vLLM counts: the repetition penalty over prompt and reply, the others over the reply alone.
 * Where both kinds are set, all count over the reply.
 */
function penalties(
  { repetitionPenalty, presencePenalty, frequencyPenalty }: LmRequest["sampling"],
  prompt: readonly Token[],
  written: readonly Token[],
  most: number,
): Partial<Parameters<LlamaContextSequence["evaluate"]>[1]> {
  const isOfReply = presencePenalty !== 0 || frequencyPenalty !== 0;
  if (!isOfReply && repetitionPenalty === 1) return {};
  return {
    repeatPenalty: {
      punishTokens: () => (isOfReply ? [...written] : [...prompt, ...written]),
      // A 32-bit number there; a larger one turns all penalties off.
      maxPunishTokens: most,
      penalty: repetitionPenalty,
      presencePenalty,
      frequencyPenalty,
    },
  };
}

function withAlternatives(
  model: LlamaModel,
  token: Token,
  probabilities: ReadonlyMap<Token, number>,
  count: number,
): GeneratedToken {
  const scored = (one: Token, probability: number): { token: string; logprob: number } => ({
    token: model.detokenize([one], true),
    logprob: Math.log(probability),
  });
  const top = probabilities
    .entries()
    .take(count)
    .filter(([, probability]) => probability > 0)
    .map(([one, probability]) => scored(one, probability));
  return { ...scored(token, probabilities.get(token) ?? 1), top: [...top] };
}
