import { checkCount } from "../strategy/check-range.ts";
import type { Checked, ProposalCheck } from "../strategy/strategy.ts";
import { fencesIn } from "./extract-text.ts";
import { noCopies } from "./no-copies.ts";

/** The text must not be empty. */
export function notEmpty(): ProposalCheck {
  return {
    name: "not-empty",
    check: (text) =>
      text.trim() === "" ? { reason: "empty", detail: "The proposed text is empty." } : null,
  };
}

/** Marks with which models, or servers without a reasoning parser, set off thinking. */
const thinkingMark = /<\/?think(?:ing)?\s*>|\[\/?THINK\]|<\|channel\|>|◁\/?think▷/i;

/**
 * No mark of a model's thinking, opened or closed, which a server without a reasoning parser leaves in
 * the text. A mark in backticks is spoken of, and one that the current text has belongs to the task.
 */
export function noThinking(): ProposalCheck {
  return {
    name: "no-thinking",
    check: (text, { current }) => {
      const mark = thinkingMark.exec(text.replaceAll(/`[^`\n]*`/g, ""))?.[0];
      return mark === undefined || current.toLowerCase().includes(mark.toLowerCase())
        ? null
        : {
            reason: "polluted",
            detail: `The proposed text holds the thinking mark \`${mark}\`; only the text itself is wanted. A mark that it must speak of belongs in backticks.`,
          };
    },
  };
}

/**
 * Not broken off: no code fence that is never closed, and no comma, dash or open bracket at the end;
 * unless the current text is so. A reply that the server cut off does not come so far.
 */
export function notCutOff(): ProposalCheck {
  const signs = (text: string): string | null => {
    if (fencesIn(text).length % 2 === 1) return "a code fence in it is not closed";
    const last = /[,;([{–—-]$/.exec(text.trimEnd())?.[0];
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

/** At most so many UTF-16 code units. */
export function notLonger(maxLength = 12_000): ProposalCheck {
  checkCount("maxLength", maxLength);
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
 * No JSON object or list in place of a text, as small models write that mistake the examples for their
 * task; unless the current text is one.
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

/** Also when it is cut off, or has words after it. */
function isJson(text: string): boolean {
  return /^\s*(?:```[\w-]*\s+)?(?:\{\s*(?:"(?:[^"\\\n]|\\.)*"\s*:|\})|\[\s*(?:[[{"]|\]\s*$|-?\d+\s*(?:,|\]\s*$)))/.test(
    text,
  );
}

/** Other than the text it replaces, white space apart. */
export function notUnchanged(): ProposalCheck {
  return {
    name: "not-unchanged",
    check: (text, { current }) =>
      spaceless(text) === spaceless(current)
        ? { reason: "unchanged", detail: "The proposed text is the current one." }
        : null,
  };
}

/** A text that no rollout was spent on yet. */
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

/** Every `{name}` and `{{name}}` of the current text must stay as it is: code may fill it in. */
export function keepsPlaceholders(): ProposalCheck {
  return {
    name: "keeps-placeholders",
    check: (text, { current }) => {
      const kept = placeholdersIn(text);
      const lost = [...placeholdersIn(current)].filter((placeholder) => !kept.has(placeholder));
      return lost.length === 0
        ? null
        : {
            reason: "placeholder-lost",
            detail: `The proposed text lacks ${lost.join(", ")}, which the current one has.`,
          };
    },
  };
}

/** What gepa() checks unless it is told otherwise, in this order. */
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
    const refused = one.check(text, given);
    if (refused !== null) return refused;
  }
  return null;
}

function spaceless(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function placeholdersIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/\{\{\s*[A-Za-z_][\w.]*\s*\}\}|\{[A-Za-z_][\w.]*\}/g) ?? []);
}
