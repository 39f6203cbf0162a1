/**
 * Control characters of C0 and C1, and what reorders or breaks lines, each as its escape in JSON; line feeds
 * and tabs stay. A terminal obeys what the others say, whoever wrote the text. JSON stays the same JSON, since
 * it has none of them outside of texts.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${code}`;
  });
}

// A carriage return before a line feed moves nothing.
const hidden =
  // oxlint-disable-next-line no-control-regex -- these are what it is for
  /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\r(?!\n)/g;
