import type { Passage } from "../../contract/index.ts";

/** A document that an answer cites. */
export interface Citation {
  /** Address of the document; `urn:passage:ID` for a passage without one. */
  readonly url: string;
  readonly iconUrl?: string;
  /** The date in the collection's own form. */
  readonly date?: string;
  readonly title?: string;
  readonly text: string;
  /** Id of the document in its collection. */
  readonly sid: string;
  /** Position of the chunk in its document, from 0. */
  readonly chunkIdx?: number;
}

/** The answer of a chat model, independent of the fields of its program. */
export interface ChatAnswer {
  readonly answer: string;
  /** In the answer's numbering order; [1] is the first. @default none */
  readonly citations?: readonly Citation[];
  /** Texts that the answer is based on. @default those of the citations */
  readonly contexts?: readonly string[];
}

/**
 * Turns passages into citations: address, date, icon and chunk come from `metadata` (`url`, `date`,
 * `iconUrl`, `chunkIdx`), the rest from the passage.
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
