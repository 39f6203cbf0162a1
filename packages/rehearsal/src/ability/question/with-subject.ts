import type { TextReader } from "../../text/index.ts";

/**
 * A part of a question with its omitted subject added: in place of the first pronoun or, without a
 * pronoun or name, after it in brackets. Unchanged if it has the subject or another name.
 */
export function withSubject(part: string, subject: string, reader: TextReader): string {
  const held = reader.stems(part);
  if (subject === "" || [...reader.stems(subject)].some((stem) => held.has(stem))) return part;
  const words = reader.words(part);
  const index = words.findIndex(({ lower }) => owners.has(lower) || others.has(lower));
  const pronoun = words[index];
  if (pronoun === undefined) {
    return words.some(({ isName }) => isName)
      ? part
      : part.replace(/(?<!\?)\?*$/, ` (${subject})?`);
  }
  const next = words[index + 1];
  const isOwner = owners.has(pronoun.lower) && next !== undefined && next.kind !== "function";
  const name = isOwner ? `${subject}'s` : subject;
  return `${part.slice(0, pronoun.start)}${name}${part.slice(pronoun.end)}`;
}

const owners: ReadonlySet<string> = new Set("its his her their hers".split(" "));
const others: ReadonlySet<string> = new Set("it he she they him them".split(" "));
