import type { LanguageModel } from "../../contract/index.ts";
import { textOfMessage } from "../../contract/index.ts";

/** Counts the tokens that one question's LM calls use. */
export interface TokenMeter {
  readonly metered: (lm: LanguageModel) => LanguageModel;
  /**
   * Counts an estimate of each call that still runs; any excess over it counts when the call ends.
   */
  settle(): void;
}

/**
 * A call counts by the usage in its reply. One that is aborted, or whose server reports no usage,
 * counts an estimate: one token per four characters of its prompt and of what came. A call that
 * fails before its first piece without an abort is the LM server's fault and counts nothing.
 *
 * @param onSpent must not throw
 */
export function tokenMeter(onSpent: (tokens: number) => void): TokenMeter {
  const running = new Set<() => void>();
  return {
    metered: (lm) => ({
      identity: lm.identity,
      doGenerate: async (request, options = {}) => {
        const { signal, onDelta } = options;
        const isAborted = (): boolean => signal?.aborted ?? false;
        // Such a call is never sent.
        if (isAborted()) return lm.doGenerate(request, options);
        const promptCharacters = request.messages.reduce(
          (sum, message) => sum + textOfMessage(message).length,
          0,
        );
        let characters = promptCharacters;
        let charged = 0;
        const charge = (tokens: number): void => {
          if (tokens <= charged) return;
          onSpent(tokens - charged);
          charged = tokens;
        };
        const settle = (): void => charge(tokensIn(characters));
        const counting: typeof onDelta = (delta) => {
          characters += (delta.content ?? "").length + (delta.reasoning ?? "").length;
          onDelta?.(delta);
        };
        running.add(settle);
        try {
          const reply = await lm.doGenerate(request, {
            ...options,
            ...(onDelta && { onDelta: counting }),
          });
          const { promptTokens, completionTokens } = reply.usage;
          const written = (reply.content ?? "").length + (reply.reasoning ?? "").length;
          charge(
            (promptTokens ?? tokensIn(promptCharacters)) + (completionTokens ?? tokensIn(written)),
          );
          return reply;
        } catch (error) {
          if (isAborted() || characters > promptCharacters) settle();
          throw error;
        } finally {
          running.delete(settle);
        }
      },
    }),
    settle: () => {
      for (const each of running) each();
    },
  };
}

function tokensIn(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

const charactersPerToken = 4;
