/** Marks with which models, or servers without a reasoning parser, set off thinking. */
const mark =
  /<\/?(?:[\w-]+:)?think(?:ing)?\s*>|<\/?thoughts?\s*>|\[\/?THINK\]|<\|channel\|>|<\|(?:begin|end)_of_thought\|>|◁\/?think▷/i;

/** Tags that set off thinking as well, and that an instruction may ask an answer to be put into. */
const ambiguousTag = /<(\/?)(reasoning|analysis|reflection|scratchpad)\s*>/gi;

/** "Okay, let me see" */
const thinksAloud =
  /^\W*(?:(?:okay|ok|alright|all right|hmm+|wait)\b\W{1,5}(?:so\b\W*|now\b\W*|first\b\W*)?(?:let me|let['’]s|let us|i|we|they|the (?:user|current|old)|looking at)\b[^.!?\n]{0,40}|(?:the|this) (?:current|existing|old|original|previous) (?:instruction|prompt)\b)/i;

/** "I need to write an instruction that" */
const plansTheText =
  /^\W*(?:so,? )?(?:let me|let['’]s|i(?: need to| have to| should| must|['’]ll| will)|we (?:need to|have to|should|must)|the user (?:wants|asked|is asking))\b[^.!?\n]*?\b(?:improve|rewrite|revise|refine|write|figure out|come up with|analy[sz]e|look at|think about|create|craft|propose|update|fix)\b[^.!?\n]*?\b(?:instruction|prompt|feedback)s?\b/i;

/**
 * What shows that a model's thinking is in a text: a mark, or a beginning that speaks about the text and
 * is none; `null` where nothing does. A mark in backticks is spoken of.
 */
export function thinkingIn(text: string): string | null {
  const unquoted = text.replaceAll(/`[^`\n]*`/g, "");
  const beginning = thinksAloud.exec(text) ?? plansTheText.exec(text);
  return (
    mark.exec(unquoted)?.[0] ??
    strayTag(unquoted) ??
    beginning?.[0].replace(/^\W+/, "").trim() ??
    null
  );
}

/** A tag that sets off the beginning, closes what was not opened, or begins a line and is never closed. */
function strayTag(text: string): string | undefined {
  const tags = [...text.matchAll(ambiguousTag)];
  return tags.find(({ index, 1: slash, 2: name = "" }, place) => {
    const isOf = (other: RegExpExecArray): boolean =>
      other[2]?.toLowerCase() === name.toLowerCase();
    if (slash === "/") return !tags.slice(0, place).some((other) => isOf(other) && other[1] === "");
    if (text.slice(0, index).trim() === "") return true;
    const isClosed = tags.slice(place + 1).some((other) => isOf(other) && other[1] === "/");
    return !isClosed && /(?:^|\n)[ \t]*$/.test(text.slice(0, index));
  })?.[0];
}
