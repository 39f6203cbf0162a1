/**
 * A text that obeys a pattern: the text itself, a word of it, or an example of a common format. The
 * text itself if none does.
 */
export function patternedText(pattern: string, text: string): string {
  const expression = compiled(pattern);
  if (expression === undefined) return text;
  return [text, ...text.split(/[\s,;()[\]"']+/), ...examples].find(matches(expression)) ?? text;
}

const examples = [
  "2026-01-31",
  "2026-01-31T12:00:00Z",
  "12:00:00",
  "P1D",
  "someone@example.org",
  "00000000-0000-4000-8000-000000000000",
  "192.0.2.1",
  "0",
  "a",
  "A",
];

// A word longer than this is no date, number or address, and could make a pattern slow.
const longest = 200;

function matches(expression: RegExp): (text: string) => boolean {
  return (text) => text.length <= longest && expression.test(text);
}

function compiled(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}
