/** A part of a message under its own heading. */
export interface MessageSection {
  readonly title: string;
  readonly description: string;
  readonly text: string;
}

/**
 * Splits a message without declared inputs at its own headings: `Query: ...`, `<Document>: ...`,
 * `### Answer`, `[The Start of Assistant A's Answer]`, `<context>`, or a numbered passage after
 * other text. Only nouns that name a part of a task count as headings. Empty if there is none.
 */
export function readSections(text: string): readonly MessageSection[] {
  const starts = [...text.matchAll(headingPattern)];
  const first = starts[0];
  if (first === undefined) return unlabelled(text);
  const before = text.slice(0, first.index).trim();
  const sections = starts.map((start, index) => {
    const end = starts[index + 1]?.index ?? text.length;
    const title = (start[1] ?? start[2] ?? start[3] ?? start[4] ?? "").trim();
    return {
      title,
      description: "",
      text: withoutEnd(text.slice(start.index + start[0].length, end)),
    };
  });
  const opening = before === "" ? [] : [{ title: "Text", description: "", text: before }];
  return [...opening, ...sections].filter((section) => section.text !== "");
}

/** Removes the mark that closes a section. */
function withoutEnd(text: string): string {
  return text
    .trim()
    .replace(/(?:<\/[a-z_ ]+>|\[the end[^[\]\n]*\])$/i, "")
    .trim();
}

/** A question may precede its numbered passages without a heading. */
function unlabelled(text: string): readonly MessageSection[] {
  const index = text.search(/^\[1\] /m);
  if (index <= 0) return [];
  return [
    { title: "Question", description: "", text: text.slice(0, index).trim() },
    { title: "Passages", description: "", text: text.slice(index).trim() },
  ];
}

const part =
  "(?:instruct(?:ion)?|task|(?:user |search |candidate |reference |gold |assistant |model |retrieved |the |start of |assistant's |[ab]'s )*(?:quer(?:y|ies)|questions?|documents?|passages?|contexts?|answers?|responses?|repl(?:y|ies)|statements?|conversation|history)(?: (?:\\d+|[ab]))?)";

const headingPattern: RegExp = new RegExp(
  `^[ \\t]*(?:<(${part})>:?|\\[(?!the end)(${part})\\]:?|#{1,6} +(${part}):?[ \\t]*$|\\*{0,2}(${part})\\*{0,2}:)[ \\t]*`,
  "gim",
);
