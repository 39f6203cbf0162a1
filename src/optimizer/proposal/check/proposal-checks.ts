import { checkCount } from "../../../internal/index.ts";
import { fencesIn } from "./extract-text.ts";
import { keepsProhibitions } from "./keeps-prohibitions.ts";
import { noCopies } from "./no-copies.ts";
import type { Checked, ProposalCheck } from "./proposal-check.ts";
import { plainText } from "../text/plain-text.ts";

/** The text must contain something visible. */
export function notEmpty(): ProposalCheck {
  return {
    name: "not-empty",
    check: (text) =>
      plainText(text) === "" ? { reason: "empty", detail: "The proposed text is empty." } : null,
  };
}

/**
 * Rejects marks of a model's thinking, opened or closed, which a server without a reasoning parser
 * leaves in the text, and an opening in which the model thinks about the text. A mark in backticks
 * counts as a quotation, and a mark in the current text belongs to the task.
 */
export function noThinking(): ProposalCheck {
  return {
    name: "no-thinking",
    check: (text, { current }) => {
      const found = markIn(text) ?? thoughtsAtStart(text);
      if (found === undefined || current.toLowerCase().includes(found.toLowerCase())) return null;
      const detail = /^\w/.test(found)
        ? `The proposed text begins with thoughts about it, "${found}"; only the text itself is wanted.`
        : `The proposed text holds the thinking mark \`${found}\`; only the text itself is wanted. A mark that it must speak of belongs in backticks.`;
      return { reason: "polluted", detail };
    },
  };
}

/**
 * Rejects truncated text: an unclosed code fence, or a comma, dash, open bracket or word such as
 * "and" at the end; unless the current text has the same. A reply that the server cut off never
 * gets this far.
 */
export function notCutOff(): ProposalCheck {
  const signs = (text: string): string | null => {
    if (fencesIn(text).length % 2 === 1) return "a code fence in it is not closed";
    const last =
      /[,;([{–—-]$|(?<=\s)(?:the|an|and|or|nor|but|because|than|if|your|their|whose)$/.exec(
        text.trimEnd(),
      )?.[0];
    return last === undefined ? null : `it ends with "${last}"`;
  };
  return {
    name: "not-cut-off",
    check: (text, { current }) => {
      const sign = signs(text);
      return sign === null || sign === signs(current)
        ? null
        : {
            reason: "truncated",
            detail: `The proposed text is broken off: ${sign}. Write the whole text.`,
          };
    },
  };
}

/** At most `maxLength` UTF-16 code units. */
export function notLonger(maxLength = 12_000): ProposalCheck {
  checkCount("maxLength", maxLength, 1, "notLonger()");
  return {
    name: "not-longer",
    settings: { maxLength },
    check: ({ length }) =>
      length > maxLength
        ? {
            reason: "too-long",
            detail: `The proposed text has ${length} characters; at most ${maxLength} are allowed.`,
          }
        : null,
  };
}

/**
 * Rejects a JSON object or list in place of a text, as written by small models that mistake the
 * examples for their task; unless the current text is JSON.
 */
export function noJson(): ProposalCheck {
  return {
    name: "no-json",
    check: (text, { current }) =>
      isJson(text) && !isJson(current)
        ? {
            reason: "json",
            detail:
              "The proposed text is JSON, not an instruction. Write the instruction itself, in sentences; do not carry it out.",
          }
        : null,
  };
}

/** Also true if it is cut off, or if words follow it. */
function isJson(text: string): boolean {
  return /^\s*(?:```[\w-]*\s+)?(?:\{\s*(?:"(?:[^"\\\n]|\\.)*"\s*:|\})|\[\s*(?:[[{"]|\]\s*$|-?\d+\s*(?:,|\]\s*$)))/.test(
    text,
  );
}

/** Must differ from the text it replaces in more than whitespace and invisible characters. */
export function notUnchanged(): ProposalCheck {
  return {
    name: "not-unchanged",
    check: (text, { current }) =>
      plainText(text) === plainText(current)
        ? { reason: "unchanged", detail: "The proposed text is the current one." }
        : null,
  };
}

/**
 * The text was neither judged on val with nothing else changed, nor tried three times otherwise, on
 * minibatches or beside other changes. Ignores whitespace.
 */
export function notTried(): ProposalCheck {
  return {
    name: "not-tried",
    check: (_, { isTried }) =>
      isTried
        ? {
            reason: "already-tried",
            detail: "The same text was tried before. Write another one.",
          }
        : null,
  };
}

/** The default checks of gepa(), in this order. */
export function defaultChecks(): readonly ProposalCheck[] {
  return [
    notEmpty(),
    noThinking(),
    notLonger(),
    noJson(),
    notCutOff(),
    notUnchanged(),
    keepsPlaceholders(),
    noCopies(),
    keepsProhibitions(),
    notTried(),
  ];
}

/** The first objection to a text; `null` when there is none. */
export function objection(
  checks: readonly ProposalCheck[],
  text: string,
  given: Checked,
): ReturnType<ProposalCheck["check"]> {
  for (const one of checks) {
    const found = one.check(text, given);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Every `{name}`, `{{name}}`, `%(name)s` and `<name>` of the current text must stay unchanged: code
 * may fill it in. A `<name>` that has a closing tag, or stands in backticks, is not a placeholder.
 */
export function keepsPlaceholders(): ProposalCheck {
  return {
    name: "keeps-placeholders",
    check: (text, { current }) => {
      const before = [...bracedIn(current), ...openAnglesIn(current)];
      if (before.length === 0) return null;
      const kept = new Set([...bracedIn(text), ...text.matchAll(angled).map(([one]) => one)]);
      const lost = before.filter((placeholder) => !kept.has(placeholder));
      return lost.length === 0
        ? null
        : {
            reason: "placeholder-lost",
            detail: `The proposed text lacks ${[...new Set(lost)].join(", ")}, which the current one has.`,
          };
    },
  };
}

function bracedIn(text: string): readonly string[] {
  return (
    text.match(
      /\{\{\s*[A-Za-z_][\w.]*\s*\}\}|\{[A-Za-z_][\w.]*\}|%\([A-Za-z_][\w.]*\)[-#0 +]*(?:[1-9]\d*)?(?:\.\d+)?[a-zA-Z]/g,
    ) ?? []
  );
}

/** Does not match the type in `List<string>`. */
const angled = /(?<!\w)<([A-Za-z_][\w.-]*)>/g;

/** Tags that need no closing tag, and thinking marks. */
const noNames: ReadonlySet<string> = new Set(["br", "hr", "p", "li", "think", "thinking"]);

function openAnglesIn(text: string): readonly string[] {
  if (!text.includes("<")) return [];
  const unquoted = text.replaceAll(/`[^`\n]*`/g, "");
  const closed = new Set([...unquoted.matchAll(/<\/([A-Za-z_][\w.-]*)>/g)].map(([, name]) => name));
  return [...unquoted.matchAll(angled)].flatMap(([placeholder, name = ""]) =>
    noNames.has(name.toLowerCase()) || closed.has(name) ? [] : [placeholder],
  );
}

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

function markIn(text: string): string | undefined {
  // Every mark has one of these characters, and most texts have none.
  if (!/[<[◁]/.test(text)) return undefined;
  const unquoted = text.replaceAll(/`[^`\n]*`/g, "");
  return mark.exec(unquoted)?.[0] ?? strayTag(unquoted);
}

/** An opening that talks about the text instead of being it. */
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
