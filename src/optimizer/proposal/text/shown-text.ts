import type { Json, JsonObject } from "../../../contract/index.ts";
import { lineEscaper, once } from "../../../internal/index.ts";

/**
 * A value as a reader reads it: text as it is, turns and passages line by line, the rest as JSON.
 * Lines within an item cannot pass for the next item.
 */
export function shownValue(value: Json | undefined): string {
  if (value === undefined || value === null || value === "") return "(empty)";
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  if (value.length === 0) return "(empty)";
  return value
    .map((item: Json, index) => {
      if (typeof item === "string") return `${index + 1}. ${inside(item, "item")}`;
      if (typeof item !== "object" || item === null || Array.isArray(item)) {
        return JSON.stringify(item);
      }
      const { speaker, title, text } = item as JsonObject;
      if (typeof text !== "string") return JSON.stringify(item);
      if (typeof speaker === "string") return `${speaker}: ${inside(text, "turn")}`;
      return typeof title === "string" && title !== ""
        ? `[${index + 1}] ${inside(title, "passage")}\n${escapedLines(text, "passage")}`
        : `[${index + 1}] ${inside(text, "passage")}`;
    })
    .join("\n");
}

function inside(text: string, part: Parameters<typeof escapedLines>[1]): string {
  return escapedLines(text, part, { isFirstLineInside: true });
}

type Part = "heading" | "passage" | "turn" | "item";

/** The patterns that open a line of the frame in which cases are shown. */
const escapers: Readonly<Record<Part, () => ReturnType<typeof lineEscaper>>> = {
  heading: once(() => lineEscaper(String.raw`#{1,6}\s`)),
  passage: once(() => lineEscaper(String.raw`\[\d+\]`)),
  turn: once(() => lineEscaper("(?:user|assistant):")),
  item: once(() => lineEscaper(String.raw`\d+\.\s`)),
};

/**
 * Puts a backslash before each line that would open another part of the frame; before the first
 * line only where it starts a line.
 */
export function escapedLines(
  text: string,
  part: Part,
  options: { readonly isFirstLineInside?: boolean } = {},
): string {
  return escapers[part]()(text, options);
}

/** The start of a text that fits into `room` bytes of UTF-8, with a note on what was left out. */
export function cutToBytes(text: string, room: number): string {
  if (text.length <= room && Buffer.byteLength(text) <= room) return text;
  const kept = beginning(text, Math.floor(room) - noteLength);
  const note = `... (${text.length - kept.length} characters left out)`;
  return kept === "" ? note : `${kept} ${note}`;
}

/** Maximum length of the note on what was left out, including the space before it. */
const noteLength = 44;

function beginning(text: string, bytes: number): string {
  if (bytes <= 0) return "";
  // Drops a character that would be cut in two.
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
}

interface SharingPart {
  /** Room it needs in full. */
  readonly need: number;
  /** Of two parts that are too long, one with twice the weight gets twice as much. @default 1 */
  readonly weight?: number;
}

/**
 * Divides room among parts: short parts get all they need, and the remainder goes to the others, by
 * weight. The shares are in the order of the parts, and their sum is at most the room.
 */
export function fairShares(parts: readonly SharingPart[], room: number): readonly number[] {
  const weightOf = ({ weight = 1 }: SharingPart): number => weight;
  if (parts.reduce((sum, { need }) => sum + need, 0) <= room) return parts.map(({ need }) => need);
  const modestFirst = parts
    .map((part, index) => ({ part, index }))
    .toSorted((one, other) => perWeight(one.part) - perWeight(other.part));
  const shares = Array.from({ length: parts.length }, () => 0);
  let left = Math.max(0, room);
  let weightLeft = parts.reduce((sum, part) => sum + weightOf(part), 0);
  for (const { part, index } of modestFirst) {
    const share = Math.min(part.need, (left * weightOf(part)) / weightLeft);
    shares[index] = share;
    left -= share;
    weightLeft -= weightOf(part);
  }
  return shares;
}

function perWeight({ need, weight = 1 }: SharingPart): number {
  return need / weight;
}
