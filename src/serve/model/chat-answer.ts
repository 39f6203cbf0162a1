import type { Passage } from "../../contract/index.ts";

/** A document that an answer was written from. */
export interface Citation {
  /** Address of the document; `urn:passage:ID` for a passage that has none. */
  readonly url: string;
  readonly iconUrl?: string;
  /** As the collection has it. */
  readonly date?: string;
  readonly title?: string;
  readonly text: string;
  /** Id of the document in its collection. */
  readonly sid: string;
  /** Place of a chunk in its document, from 0. */
  readonly chunkIdx?: number;
}

/** What a chat model answers, whatever the fields of its program. */
export interface ChatAnswer {
  readonly answer: string;
  /** In the order in which the answer numbers them; [1] is the first. @default none */
  readonly citations?: readonly Citation[];
  /** Texts that the answer was written from. @default those of the citations */
  readonly contexts?: readonly string[];
}

/**
 * Passages as citations: address, date and icon are those of `metadata` (`url`, `date`, `iconUrl`,
 * `chunkIdx`), the rest stands in the passage.
 */
export function citationsOf(passages: readonly Passage[]): readonly Citation[] {
  return passages.map(({ id, title, text, metadata = {} }) => {
    const { url, date, iconUrl, chunkIdx } = metadata;
    return {
      url: isText(url) ? url : `urn:passage:${encodeURIComponent(id)}`,
      ...(isText(iconUrl) && { iconUrl }),
      ...(isText(date) && { date }),
      ...(isText(title) && { title }),
      text,
      sid: id,
      ...(typeof chunkIdx === "number" && { chunkIdx }),
    };
  });
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
