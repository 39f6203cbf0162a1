/**
 * The text out of what a model wrote around it: a closed block of thinking before it, a code fence
 * about it, and a line that merely announces the fence. A fence within the text is left alone, and
 * so is one that is never closed, which `notCutOff()` refuses: gepa 0.1.4 takes what is between the
 * first fence and the last whatever is around them, and thereby cuts off instructions that show a
 * format.
 */
export function extractText(written: string): string {
  const text = written
    .trim()
    .replace(/^<((?:[\w-]+:)?think|thought)(?:ing|s)?>[\s\S]*?<\/\1(?:ing|s)?>/i, "")
    .trim();
  const [first = "", ...others] = text.split("\n");
  const rest = others.join("\n").trim();
  if (fence.test(first)) return unfenced(text) ?? text;
  return announces(first) && fence.test(rest)
    ? (unfenced(withoutClosingRemark(rest)) ?? text)
    : text;
}

const fence = /^```[\w-]*[ \t]*(?:\n|$)/;

/** What is inside a fence that spans the whole text; `undefined` for anything else. */
function unfenced(text: string): string | undefined {
  const opening = /^```([\w-]*)[ \t]*\n/.exec(text);
  if (opening === null || !text.endsWith("```")) return undefined;
  const [firstLine, language = ""] = opening;
  const inside = text.slice(firstLine.length, -"```".length);
  const inner = fencesIn(inside);
  if (inner.length % 2 === 1) return undefined;
  // A bare fence closes the first one, so that the text is one block after the other; unless the
  // first one says that a text is in it.
  const closes =
    inner[0]?.trim() === "```" && !/^(?:markdown|md|text|plaintext|txt)$/i.test(language);
  return closes ? undefined : inside.trim();
}

/** One line after the fence, such as "Done." */
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
