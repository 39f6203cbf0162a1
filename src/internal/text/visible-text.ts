/**
 * Escapes C0 and C1 control characters, and characters that reorder or break lines, as JSON does;
 * line feeds and tabs stay. A terminal would obey the others no matter who wrote the text. JSON
 * keeps its meaning, since these characters occur only inside its strings.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${code}`;
  });
}

// A carriage return before a line feed overwrites nothing.
const hidden =
  // oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
  /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\r(?!\n)/g;
