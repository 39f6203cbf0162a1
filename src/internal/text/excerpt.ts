/** The beginning of a text, in at most `maxLength` UTF-16 code units, for messages. */
export function excerpt(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 3).toWellFormed()}...`;
}
