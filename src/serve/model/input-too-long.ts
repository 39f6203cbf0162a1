import type { InputExcess } from "../../signature/index.ts";
import { inputExcess, longestText } from "../../signature/index.ts";
import type { ChatModel, ChatQuestion } from "./chat-model.ts";

/** Of a text in UTF-16 code units, where its field has no `max` of its own. */
export const defaultMaxInput = 32_768;

/**
 * Says which text of a question is longer than the model's program takes, with the limit and what
 * came.
 *
 * @param longest of a field that has no maximum of its own
 * @returns a sentence for the client; `null` where nothing is too long
 */
export function inputTooLong(
  model: ChatModel,
  asked: ChatQuestion,
  longest: number,
): string | null {
  const excess = excessBefore(model, asked, longest) ?? excessAfter(model, asked, longest);
  return excess && excessSentence(excess);
}

/** For the client. */
export function excessSentence({ path, length, longest }: InputExcess): string {
  return `The input \`${path}\` has ${length} characters, and this model takes at most ${longest}.`;
}

/** Of what the client sent, so that `inputOf` meets no text that no field takes. */
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
    // What `inputOf` throws is the run's to report.
    return null;
  }
}
