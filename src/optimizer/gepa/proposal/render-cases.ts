import type { ReflectiveCase } from "./reflective-cases.ts";
import { shownValue } from "./reflective-cases.ts";

/**
 * Cases as text for the reflection LM, in order. Each gets an equal share of the length, and long fields
 * are cut within it, so that one long passage cannot push the other cases, or their feedback, out.
 */
export function renderCases(cases: readonly ReflectiveCase[], maxLength: number): string {
  const shown = cases.slice(0, Math.max(1, Math.floor(maxLength / leastPerCase)));
  const share = Math.floor(maxLength / Math.max(1, shown.length));
  const texts = shown.map((one, index) => renderCase(one, index + 1, share));
  const left = cases.length - shown.length;
  return [...texts, ...(left === 0 ? [] : [`(${left} further cases are left out.)`])].join("\n\n");
}

const leastPerCase = 1_500;

function renderCase(
  { inputs, outputs, rawText, feedback }: ReflectiveCase,
  number: number,
  share: number,
): string {
  const given = Object.entries(inputs).map(([name, value]) => [name, shownValue(value)] as const);
  const written =
    outputs === null
      ? [["unusable reply", rawText ?? "(no reply)"] as const]
      : Object.entries(outputs).map(([name, value]) => [name, shownValue(value)] as const);
  const fields = (parts: readonly (readonly [string, string])[], room: number): string =>
    fitted(parts, room)
      .map(([name, text]) => `### ${name}\n${text}`)
      .join("\n");
  return [
    `# Example ${number}`,
    `## Inputs\n${fields(given, share * 0.4)}`,
    `## Generated Outputs\n${fields(written, share * 0.25)}`,
    `## Feedback\n${cut(feedback, share * 0.35)}`,
  ].join("\n\n");
}

/** Short fields in full; the long ones share what is left. */
function fitted(
  parts: readonly (readonly [string, string])[],
  room: number,
): readonly (readonly [string, string])[] {
  const byLength = parts.map(([, { length }]) => length).toSorted((one, other) => one - other);
  let left = room;
  let limit = room;
  for (const [place, length] of byLength.entries()) {
    limit = left / (byLength.length - place);
    if (length > limit) break;
    left -= length;
    limit = room;
  }
  return parts.map(([name, text]) => [name, cut(text, limit)]);
}

function cut(text: string, room: number): string {
  if (text.length <= room) return text;
  const kept = text.slice(0, Math.max(0, Math.floor(room) - 40));
  return `${kept} ... (${text.length - kept.length} characters left out)`;
}
