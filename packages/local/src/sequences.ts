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
   * Runs `task` in the free place that already holds most of the prompt's beginning.
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
 * at each step by spinning. Two of them beside other load took fifteen times as long as one.
 */
export async function sequences(
  model: LlamaModel,
  { concurrency, contextTokens, threads }: SequenceOptions,
): Promise<Sequences> {
  const cores = availableParallelism();
  const count = Math.min(concurrency, cores, mostContexts);
  const usual = count === 1 ? Math.floor(cores / 2) : Math.floor(cores / count);
  const contexts: LlamaContext[] = [];
  for (let index = 0; index < count; index += 1) {
    contexts.push(
      await model.createContext({
        sequences: Math.ceil((concurrency - index) / count),
        contextSize: contextTokens,
        threads: threads ?? Math.max(1, usual),
      }),
    );
  }
  const all = contexts.flatMap((context) =>
    Array.from({ length: context.totalSequences }, () => context.getSequence()),
  );
  const free = new Set(all);
  const places = semaphore(all.length);
  return {
    contextTokens: Math.min(...all.map((sequence) => sequence.contextSize)),
    use: (prompt, task, signal) =>
      places.run(async () => {
        const { sequence, held } = bestOf(free, prompt);
        free.delete(sequence);
        try {
          if (held < sequence.nextTokenIndex) {
            await sequence.eraseContextTokenRanges([{ start: held, end: sequence.nextTokenIndex }]);
          }
          return await task(sequence, sequence.nextTokenIndex);
        } finally {
          free.add(sequence);
        }
      }, signal),
    [Symbol.asyncDispose]: async () => {
      await places.idle();
      for (const context of contexts) await context.dispose();
    },
  };
}

const mostContexts = 4;

/**
 * The last token of a prompt is always read, since it gives the first of the reply. Among places
 * that hold equally much, the one that loses least is taken, and among these one whose context is
 * idle.
 */
function bestOf(
  free: ReadonlySet<LlamaContextSequence>,
  prompt: readonly Token[],
): { readonly sequence: LlamaContextSequence; readonly held: number } {
  const idle = new Map<LlamaContext, number>();
  for (const { context } of free) idle.set(context, (idle.get(context) ?? 0) + 1);
  const [best] = [...free]
    .map((sequence) => ({
      sequence,
      held: Math.min(
        sequence.compareContextTokens([...prompt]).firstDifferentIndex,
        prompt.length - 1,
      ),
      others: idle.get(sequence.context) ?? 0,
    }))
    .toSorted(
      (one, other) =>
        other.held - one.held ||
        other.others - one.others ||
        one.sequence.nextTokenIndex - other.sequence.nextTokenIndex,
    );
  if (best === undefined) throw new Error("No sequence is free.");
  return best;
}
