import { checkCount } from "../../../internal/index.ts";
import type { Checked, ProposalCheck } from "./proposal-check.ts";
import { fencesIn } from "./extract-text.ts";
import { keepsPlaceholders } from "./keeps-placeholders.ts";
import { keepsProhibitions } from "./keeps-prohibitions.ts";
import { noCopies } from "./no-copies.ts";
import { plainText } from "../text/plain-text.ts";
import { thinkingIn } from "./detect-thinking.ts";

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
      const found = thinkingIn(text);
      if (found === null || current.toLowerCase().includes(found.toLowerCase())) return null;
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
export function defaultChecks({
  maxTextLength = 12_000,
}: { readonly maxTextLength?: number } = {}): readonly ProposalCheck[] {
  return [
    notEmpty(),
    noThinking(),
    notLonger(maxTextLength),
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

/** What an accepted text loses, by all checks. */
export function caveatsOf(
  checks: readonly ProposalCheck[],
  text: string,
  given: Checked,
): readonly string[] {
  return checks.flatMap(({ caveat }) => caveat?.(text, given) ?? []);
}
