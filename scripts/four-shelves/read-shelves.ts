import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

/** The collections of the set, with the prefixes of their ids. */
export const shelves = {
  encyclopedia: "enc",
  finance: "fin",
  government: "gov",
  cloud: "cld",
} as const;

export type Shelf = keyof typeof shelves;

export interface PassageRow {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface TurnRow {
  /** As the user types it, omitting what the conversation makes clear. */
  readonly question: string;
  /** The same question for a reader who does not know the conversation. */
  readonly standalone: string;
  readonly answer: string;
  readonly label: "answerable" | "partial" | "unanswerable" | "underspecified";
  readonly questionType: string;
  /** Passages that contain the answer, or the part of it that exists. */
  readonly gold: readonly string[];
}

export interface ConversationRow {
  readonly id: string;
  readonly turns: readonly TurnRow[];
}

export interface ShelfRows {
  readonly shelf: Shelf;
  readonly passages: readonly PassageRow[];
  readonly conversations: readonly ConversationRow[];
}

const folder = resolve(import.meta.dirname, "../../trainsets/four-shelves");

/** The rows of the named collections, as in the files. */
export function readShelves(names: readonly Shelf[]): readonly ShelfRows[] {
  return names.map((shelf) => ({
    shelf,
    passages: rowsOf(`${folder}/passages/${shelf}.jsonl`) as PassageRow[],
    conversations: rowsOf(`${folder}/conversations/${shelf}.jsonl`) as ConversationRow[],
  }));
}

function rowsOf(path: string): unknown[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, index) => {
      try {
        return JSON.parse(line) as unknown;
      } catch (error) {
        throw new Error(`${path}:${index + 1} is not JSON`, { cause: error });
      }
    });
}
