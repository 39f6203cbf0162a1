/**
 * JSON with the raw control characters inside of its strings escaped, so that `JSON.parse` takes
 * them. Text without any comes back as it is.
 */
export function escapeControlCharacters(json: string): string {
  if (!control.test(json)) return json;
  let isInString = false;
  return json.replaceAll(mark, (found) => {
    if (found === '"') isInString = !isInString;
    if (found === '"' || found.startsWith("\\") || !isInString) return found;
    return JSON.stringify(found).slice(1, -1);
  });
}

const control = /\p{Cc}/u;
/** A quote, an escape, or a control character. */
const mark = /"|\\.|\p{Cc}/gsu;
