/** What two questions that ask the same have in common: their words, in lower case. */
export function wordingOf(question: string): string {
  return (
    question
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  );
}
