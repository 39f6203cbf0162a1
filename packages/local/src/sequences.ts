import { availableParallelism } from "node:os";
import type { LlamaContext, LlamaContextSequence, LlamaModel, Token } from "node-llama-cpp";
import { semaphore } from "../../../src/internal/index.ts";

export interface SequenceOptions {
  /** Texts that are written at a time, at least 1. */
  readonly concurrency: number;
  /** Tokens of prompt and reply together. */
  readonly contextTokens: number;
  /** Of each context. */
  readonly threads?: number | undefined;
}

/** Places in which a model writes, each with the tokens that it read last. */
export interface Sequences extends AsyncDisposable {
  /** Of prompt and reply together. */
  readonly contextTokens: number;
  /**
   * Tokens of a prompt to read at a time, counted from its start; `undefined` for any number. Sums
   * are rounded otherwise in batches of other sizes. With one call at a time, prompts are read, and
   * held, in whole pieces, so that a reply does not depend on the calls before it.
   */
  readonly pieceTokens: number | undefined;
  /**
   * Runs `task` in the free place that has least to read and to forget for the prompt.
   *
   * @param task gets the sequence, and how many tokens of the prompt it need not read again
   */
  use<TResult>(
    prompt: readonly Token[],
    task: (sequence: LlamaContextSequence, held: number) => Promise<TResult>,
    signal?: AbortSignal,
  ): Promise<TResult>;
}

/**
 * Several contexts of few threads instead of one of many: llama.cpp's threads wait for each other
 * at each step by spinning. Two of them beside other load took fifteen times as long as one. There
 * are more places than calls, since a search asks several candidates in turn, whose prompts begin
 * differently.
 */
export async function sequences(
  model: LlamaModel,
  { concurrency, contextTokens, threads }: SequenceOptions,
): Promise<Sequences> {
  const cores = availableParallelism();
  const count = Math.min(concurrency, cores, maxContexts);
  const usual = count === 1 ? Math.floor(cores / 2) : Math.floor(cores / count);
  const contexts: LlamaContext[] = [];
  for (let index = 0; index < count; index += 1) {
    contexts.push(
      await model.createContext({
        sequences: Math.ceil(Math.max(concurrency, minSequences) / count),
        contextSize: contextTokens,
        threads: threads ?? Math.max(1, usual),
      }),
    );
  }
  const free = new Set(
    contexts.flatMap((context) =>
      Array.from({ length: context.totalSequences }, () => context.getSequence()),
    ),
  );
  const promptSizes = new Map([...free].map((sequence) => [sequence, 0]));
  const running = new Map(contexts.map((context) => [context, 0]));
  const places = semaphore(concurrency);
  const pieceTokens = concurrency === 1 ? fewTokens : undefined;
  const add = (context: LlamaContext, change: number): void => {
    running.set(context, (running.get(context) ?? 0) + change);
  };
  return {
    contextTokens: Math.min(...[...free].map((sequence) => sequence.contextSize)),
    pieceTokens,
    use: (prompt, task, signal) =>
      places.run(async () => {
        const { sequence, held } = bestOf(free, prompt, { promptSizes, running, pieceTokens });
        free.delete(sequence);
        add(sequence.context, 1);
        try {
          if (held < sequence.nextTokenIndex) {
            const range = { start: held, end: sequence.nextTokenIndex };
            await sequence.eraseContextTokenRanges([range]);
          }
          promptSizes.set(sequence, prompt.length);
          return await task(sequence, sequence.nextTokenIndex);
        } finally {
          add(sequence.context, -1);
          // Behind all others: the set is in the order in which places became free.
          free.add(sequence);
        }
      }, signal),
    [Symbol.asyncDispose]: async () => {
      await places.idle();
      for (const context of contexts) await context.dispose();
    },
  };
}

const maxContexts = 4;
const minSequences = 8;

/** Fewer tokens are read again sooner than another call is waited for. */
const fewTokens = 32;

/**
 * The last token of a prompt is always read, since it gives the first of the reply. A place costs
 * the tokens that it must still read, and those of its last prompt that it must forget, which
 * another call may want. Among places that cost about as much, one whose context has least to do is
 * taken, and among these the one that was left longest ago.
 */
function bestOf(
  free: ReadonlySet<LlamaContextSequence>,
  prompt: readonly Token[],
  {
    promptSizes,
    running,
    pieceTokens,
  }: {
    /** Of the prompts that were read last. */
    readonly promptSizes: ReadonlyMap<LlamaContextSequence, number>;
    /** Calls in each context. */
    readonly running: ReadonlyMap<LlamaContext, number>;
    readonly pieceTokens: number | undefined;
  },
): { readonly sequence: LlamaContextSequence; readonly held: number } {
  const places = [...free].map((sequence) => {
    const { firstDifferentIndex } = sequence.compareContextTokens([...prompt]);
    const promptSize = promptSizes.get(sequence) ?? 0;
    const same = Math.min(firstDifferentIndex, prompt.length - 1);
    // What a reply holds was written token by token.
    const whole = Math.min(same, promptSize);
    const held = pieceTokens === undefined ? same : whole - (whole % pieceTokens);
    const unread = prompt.length - held;
    const forgotten = Math.max(0, promptSize - held);
    return { sequence, held, cost: unread + forgotten };
  });
  const least = Math.min(...places.map(({ cost }) => cost));
  const [best] = places
    .filter(({ cost }) => cost <= least + fewTokens)
    .toSorted(
      (one, other) =>
        (running.get(one.sequence.context) ?? 0) - (running.get(other.sequence.context) ?? 0),
    );
  if (best === undefined) throw new Error("No place is free.");
  return best;
}
