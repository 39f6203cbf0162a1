import type { ChatModel } from "./chat-model.ts";
import type { ChatQuestion } from "./chat-question.ts";

/**
 * Why the model's program cannot take a question, in sentences for the client; `null` if it can.
 */
export function inputProblem(model: ChatModel, asked: ChatQuestion): string | null {
  const { program } = model;
  let [problem, isText]: [string | null, boolean] = [null, false];
  try {
    const input = model.inputOf(asked);
    isText = typeof input === "string";
    problem = program.inputProblem(input);
  } catch {
    // The run reports what `inputOf` throws.
    return null;
  }
  if (problem === null) return null;
  const fields = Object.keys(program.input).map((name) => `\`${name}\``);
  return `The message is no input of this model, which takes ${fields.join(", ")}${isText ? " as JSON" : ""}: ${problem}.`;
}
