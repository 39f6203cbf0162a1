/** Marks with which models, or servers without a reasoning parser, delimit thinking. */
const mark =
  /<\/?(?:[\w-]+:)?think(?:ing)?\s*>|<\/?thoughts?\s*>|\[\/?THINK\]|<\|channel\|>|<\|(?:begin|end)_of_thought\|>|◁\/?think▷/i;

/**
 * Tags that can delimit thinking too, but that an instruction may also require around an answer.
 */
const ambiguousTag = /<(\/?)(reasoning|analysis|reflection|scratchpad)\s*>/gi;

/** The first words of both expressions below. */
const startsThoughts = /^(?:okay|ok|alright|all|hmm+|wait|the|this|so|let|i|we)$/i;

/** "Okay, let me see" */
const thinksAloud =
  /^\W*(?:(?:okay|ok|alright|all right|hmm+|wait)\b\W{1,5}(?:so\b\W*|now\b\W*|first\b\W*)?(?:let me|let['’]s|let us|i|we|they|the (?:user|current|old)|looking at)\b[^.!?\n]{0,40}|(?:the|this) (?:current|existing|old|original|previous) (?:instruction|prompt)\b)/i;

/** "I need to write an instruction that" */
const plansTheText =
  /^\W*(?:so,? )?(?:let me|let['’]s|i(?: need to| have to| should| must|['’]ll| will)|we (?:need to|have to|should|must)|the user (?:wants|asked|is asking))\b[^.!?\n]{0,200}?\b(?:improve|rewrite|revise|refine|write|figure out|come up with|analy[sz]e|look at|think about|create|craft|propose|update|fix)\b[^.!?\n]{0,200}?\b(?:instruction|prompt|feedback)s?\b/i;

/**
 * The evidence that a text contains a model's thinking: a mark, or an opening that talks about the
 * text instead of being it; `null` if there is none. A mark in backticks counts as a quotation.
 */
export function thinkingIn(text: string): string | null {
  return markIn(text) ?? thoughtsAtStart(text) ?? null;
}

function markIn(text: string): string | undefined {
  // Every mark has one of these characters, and most texts have none.
  if (!/[<[◁]/.test(text)) return undefined;
  const unquoted = text.replaceAll(/`[^`\n]*`/g, "");
  return mark.exec(unquoted)?.[0] ?? strayTag(unquoted);
}

function thoughtsAtStart(text: string): string | undefined {
  const [word = ""] = /\w+/.exec(text) ?? [];
  if (!startsThoughts.test(word)) return undefined;
  const beginning = thinksAloud.exec(text) ?? plansTheText.exec(text);
  return beginning?.[0].replace(/^\W+/, "").trim();
}

/**
 * A tag at the start of the text, one that closes what was never opened, or one that begins a line
 * and is never closed.
 */
function strayTag(text: string): string | undefined {
  const tags = [...text.matchAll(ambiguousTag)].map(({ 0: tag, 1: slash, 2: name = "", index }) => {
    return { tag, index, isClosing: slash === "/", name: name.toLowerCase() };
  });
  const lastClosed = new Map(
    tags.flatMap(({ name, index, isClosing }) => (isClosing ? [[name, index] as const] : [])),
  );
  const opened = new Set<string>();
  const beginning = text.search(/\S/);
  return tags.find(({ name, index, isClosing }) => {
    if (isClosing) return !opened.has(name);
    opened.add(name);
    if (index === beginning) return true;
    const isClosed = (lastClosed.get(name) ?? -1) > index;
    return !isClosed && text.slice(text.lastIndexOf("\n", index) + 1, index).trim() === "";
  })?.tag;
}
