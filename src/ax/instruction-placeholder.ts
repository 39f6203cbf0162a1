/**
 * Stands for the instruction while ax lays out a prompt. ax would capitalise an instruction, end it
 * with a full stop and rewrite words in it that are field names; what is executed must be what was
 * declared, word for word.
 */
// Private-use characters, so that no description can hold it by chance.
export const instructionPlaceholder = "\uE001The instruction stands here\uE001.";

/** Puts the instruction where the placeholder stands. */
export function placeInstruction(prompt: string, instruction: string): string {
  return prompt.replace(instructionPlaceholder, () => instruction);
}
