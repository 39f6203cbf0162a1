import type { Checked, ProposalCheck } from "../strategy/strategy.ts";

/** The text must not be empty. */
export function notEmpty(): ProposalCheck {
  return {
    name: "not-empty",
    check: (text) =>
      text.trim() === "" ? { reason: "empty", detail: "The proposed text is empty." } : null,
  };
}

/** No tag of a model's thinking, which a server without a reasoning parser leaves in the text. */
export function noThinking(): ProposalCheck {
  return {
    name: "no-thinking",
    check: (text) =>
      /<\/?think(?:ing)?>/i.test(text)
        ? { reason: "polluted", detail: "The proposed text holds a thinking tag." }
        : null,
  };
}

/** At most so many UTF-16 code units. */
export function notLonger(maxLength = 12_000): ProposalCheck {
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
      isTried ? { reason: "already-tried", detail: "The same text was tried before." } : null,
  };
}

/** Every `{name}` and `{{name}}` of the current text must stay: code may fill it in. */
export function keepsPlaceholders(): ProposalCheck {
  return {
    name: "keeps-placeholders",
    check: (text, { current }) => {
      const lost = [...new Set(current.match(/\{\{?[A-Za-z_][\w.]*\}?\}/g) ?? [])].filter(
        (placeholder) => !text.includes(placeholder),
      );
      return lost.length === 0
        ? null
        : {
            reason: "placeholder-lost",
            detail: `The proposed text lacks ${lost.join(", ")}, which the current one has.`,
          };
    },
  };
}

/**
 * No run of `words` words may be one that the examples show and the current text does not have: what is
 * copied from training examples cannot help on others, and lets answers leak into prompts.
 */
export function noCopies({ words = 12 }: { readonly words?: number } = {}): ProposalCheck {
  return {
    name: "no-copies",
    settings: { words },
    check: (text, { current, shown }) => {
      const proposed = wordsOf(text);
      if (proposed.length < words) return null;
      const own = runsOf(wordsOf(current), words);
      const seen = new Set(shown.flatMap((one) => [...runsOf(wordsOf(one), words)]));
      const copied = [...runsOf(proposed, words)].find((run) => seen.has(run) && !own.has(run));
      return copied === undefined
        ? null
        : {
            reason: "copies-examples",
            detail: `The proposed text copies ${words} words or more from an example: "${copied}".`,
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
  for (const { check } of checks) {
    const refused = check(text, given);
    if (refused !== null) return refused;
  }
  return null;
}

/** A text that a model put into a code fence, without it. */
export function unfenced(text: string): string {
  const plain = text.trim();
  return (/^```[a-z]*\n([\s\S]*?)\n?```$/.exec(plain)?.[1] ?? plain).trim();
}

function spaceless(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function runsOf(words: readonly string[], length: number): ReadonlySet<string> {
  return new Set(
    Array.from({ length: Math.max(0, words.length - length + 1) }, (_, start) =>
      words.slice(start, start + length).join(" "),
    ),
  );
}
