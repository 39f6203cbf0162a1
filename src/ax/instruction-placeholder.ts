/**
 * Stands in for the instruction while ax lays out a prompt. ax would capitalise the instruction,
 * end it with a full stop and rewrite words that are field names; the executed instruction must be
 * the declared one, word for word.
 */
// Private-use characters, so that no description contains it by accident.
export const instructionPlaceholder = "\uE001The instruction stands here\uE001.";

/** Replaces the placeholder with the instruction. */
export function placeInstruction(prompt: string, instruction: string): string {
  return prompt.replace(instructionPlaceholder, () => instruction);
}
