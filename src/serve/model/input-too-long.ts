import type { InputExcess } from "../../signature/index.ts";
import { inputExcess, longestText } from "../../signature/index.ts";
import type { ChatModel } from "./chat-model.ts";
import type { ChatQuestion } from "./chat-exchange.ts";

/** The limit of a text in UTF-16 code units, for fields without a `max` of their own. */
export const defaultMaxInput = 32_768;

/**
 * Names the text of a question that exceeds what the model's program takes, with the limit and the
 * actual length.
 *
 * @param longest the limit of a field without a maximum of its own
 * @returns a sentence for the client; `null` if no text is too long
 */
export function inputTooLong(
  model: ChatModel,
  asked: ChatQuestion,
  longest: number,
): string | null {
  const excess = excessBefore(model, asked, longest) ?? excessAfter(model, asked, longest);
  return excess && excessSentence(excess);
}

/** The sentence that the client gets. */
export function excessSentence({ path, length, longest }: InputExcess): string {
  return `The input \`${path}\` has ${length} characters; this model accepts at most ${longest}.`;
}

/** Checks the client's own texts, so that `inputOf` never meets a text that no field takes. */
function excessBefore(
  { program }: ChatModel,
  { question, history }: ChatQuestion,
  given: number,
): InputExcess | null {
  const longest = longestText(program.input, given);
  if (question.length > longest) return { path: "question", length: question.length, longest };
  const index = history.findIndex(({ text }) => text.length > longest);
  const length = history[index]?.text.length ?? 0;
  return index === -1 ? null : { path: `history.${index}.text`, length, longest };
}

function excessAfter(model: ChatModel, asked: ChatQuestion, longest: number): InputExcess | null {
  try {
    return inputExcess(model.program.input, model.inputOf(asked), longest);
  } catch {
    // The run reports what `inputOf` throws.
    return null;
  }
}
