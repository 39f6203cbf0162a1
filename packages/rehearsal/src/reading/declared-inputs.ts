/** An input that the system message declares. */
export interface DeclaredInput {
  readonly title: string;
  readonly description: string;
}

/**
 * Reads `Title: description` paragraphs. A paragraph that does not begin with a title belongs to
 * the preceding description.
 */
export function readDeclaredInputs(sectionText: string | undefined): readonly DeclaredInput[] {
  const declared: DeclaredInput[] = [];
  for (const line of (sectionText ?? "").split("\n")) {
    if (line.trim() === "" || line.startsWith("**")) continue;
    const match = /^([\p{L}\p{N}][\p{L}\p{N} _-]{0,80}?)(?: \([^)]*\))?:(?: (.*))?$/u.exec(line);
    const last = declared.at(-1);
    if (match !== null) {
      declared.push({ title: match[1] ?? "", description: (match[2] ?? "").trim() });
    } else if (last !== undefined) {
      declared[declared.length - 1] = { ...last, description: `${last.description}\n${line}` };
    }
  }
  return declared;
}
