/**
 * Extracts the text from what a model wrote around it: a closed thinking block before it, a code
 * fence around it, and a line that merely announces the fence. A fence within the text is kept, and
 * so is one that is never closed, which `notCutOff()` rejects. gepa 0.1.4 takes everything between
 * the first and the last fence regardless of context, which truncates instructions that show a
 * format.
 */
export function extractText(written: string): string {
  const text = withoutThinking(written.trim()).trim();
  const [first = "", ...others] = text.split("\n");
  const rest = others.join("\n").trim();
  if (fence.test(first)) return unfenced(text) ?? text;
  return announces(first) && fence.test(rest)
    ? (unfenced(withoutClosingRemark(rest)) ?? text)
    : text;
}

function withoutThinking(text: string): string {
  return text.startsWith("<")
    ? text.replace(/^<((?:[\w-]+:)?think|thought)(?:ing|s)?>[\s\S]*?<\/\1(?:ing|s)?>/i, "")
    : text;
}

const fence = /^```[\w-]*[ \t]*(?:\n|$)/;

/** The content of a fence that spans the whole text; `undefined` for anything else. */
function unfenced(text: string): string | undefined {
  const opening = /^```([\w-]*)[ \t]*\n/.exec(text);
  if (opening === null || !text.endsWith("```")) return undefined;
  const [firstLine, language = ""] = opening;
  const inside = text.slice(firstLine.length, -"```".length);
  const inner = fencesIn(inside);
  if (inner.length % 2 === 1) return undefined;
  // A bare fence closes the first one, so the text is a sequence of blocks, unless the first fence
  // announces that it contains a text.
  const closes =
    inner[0]?.trim() === "```" && !/^(?:markdown|md|text|plaintext|txt)$/i.test(language);
  return closes ? undefined : inside.trim();
}

/** Removes one line after the fence, such as "Done." */
function withoutClosingRemark(text: string): string {
  const [last = "", before = ""] = text.split("\n").toReversed();
  return before.trimEnd() === "```" && !last.startsWith("```")
    ? text.slice(0, -last.length).trim()
    : text;
}

/** "Here is the improved instruction:" */
function announces(line: string): boolean {
  return (
    line.length <= 120 &&
    /:\**$/.test(line.trimEnd()) &&
    /\b(?:instructions?|prompt|version|text)\b/i.test(line) &&
    /^\W*(?:here|sure|below|certainly|okay|ok|(?:the )?(?:new|improved|revised|updated|final|rewritten))\b/i.test(
      line,
    )
  );
}

/** Lines that open or close a fence. */
export function fencesIn(text: string): readonly string[] {
  return text.split("\n").filter((line) => /^\s*```/.test(line));
}
