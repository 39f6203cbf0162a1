import type { TextReader } from "../text/index.ts";
import type { DeclaredInput } from "./declared-inputs.ts";
import { readSections } from "./read-sections.ts";
import { withoutTagged, withTagsRead } from "./tagged-texts.ts";
import { inputRoleOf } from "./input-role.ts";
import type { InputField } from "./task.ts";

/**
 * Splits a user message into its inputs. A title counts only at the start of a line and in the
 * declared order, so that a value may itself contain lines with a colon. Without declared inputs,
 * the message's own headings divide it; without headings, it is one input. In a tagged message,
 * nothing inside a tag is a title.
 */
export function readInputs({
  text,
  declared,
  isTagged,
  reader,
}: {
  readonly text: string;
  readonly declared: readonly DeclaredInput[];
  readonly isTagged: boolean;
  readonly reader: TextReader;
}): readonly InputField[] {
  const found = declared.length > 0 ? cut(text, declared, isTagged) : readSections(text);
  const parts = found.length > 0 ? found : [{ title: "", description: "", text: text.trim() }];
  const fields = parts.map((part) => ({ ...part, role: inputRoleOf(part, reader) }));
  if (fields.some(({ role }) => role === "question" || role === "response")) return fields;
  // The question may have any name: the shortest free text is taken for it.
  const shortest = fields
    .filter(({ role }) => role === "text")
    .toSorted((left, right) => left.text.length - right.text.length)[0];
  return fields.map((field) => (field === shortest ? { ...field, role: "question" } : field));
}

function cut(
  text: string,
  declared: readonly DeclaredInput[],
  isTagged: boolean,
): readonly { readonly title: string; readonly description: string; readonly text: string }[] {
  const starts: { readonly input: DeclaredInput; readonly at: number }[] = [];
  let from = 0;
  const outside = isTagged ? withoutTagged(text) : text;
  const read = isTagged ? withTagsRead : (value: string) => value;
  for (const input of declared) {
    const opening = `${input.title}:`;
    let at = outside.indexOf(opening, from);
    while (at > 0 && outside[at - 1] !== "\n") at = outside.indexOf(opening, at + 1);
    if (at < 0) continue;
    starts.push({ input, at });
    from = at + opening.length;
  }
  return starts.map(({ input, at }, index) => ({
    ...input,
    text: emptyAware(read(text.slice(at + input.title.length + 1, starts[index + 1]?.at).trim())),
  }));
}

function emptyAware(text: string): string {
  return text === "(empty)" ? "" : text;
}
