import type { ProposalCheck } from "./proposal-check.ts";
import { sentencesOf } from "../text/plain-text.ts";

/**
 * Rejects nothing: a text that drops a sentence of the current text that forbids something is
 * flagged, and its child is accepted only if the 95 % interval of its gain on val is above 0. What
 * a sentence forbids seldom happens while it is there, so a few examples cannot show its use.
 *
 * Prohibitions are those of English: "do not", "never", "avoid", "must not", "without", "no" and
 * the like. One is kept, in whatever words, if the new text has one with at least half of the
 * words of what is forbidden.
 */
export function keepsProhibitions(): ProposalCheck {
  return {
    name: "keeps-prohibitions",
    check: () => null,
    caveat: (text, { current }) => {
      const before = prohibitionsIn(current);
      if (before.length === 0) return null;
      const kept = prohibitionsIn(text);
      const dropped = before.find((one) => !kept.some((other) => says(other, one)));
      return dropped === undefined
        ? null
        : `It drops a sentence that forbids something: "${dropped.sentence}"`;
    },
  };
}

interface Prohibition {
  readonly sentence: string;
  /** The words of what is forbidden, but for the small ones. */
  readonly forbids: ReadonlySet<string>;
}

/** Where an imperative may begin: "documents that do not help" forbids nothing. */
const opening = String.raw`(?:^\W*|[,;:(\u2013\u2014-]\s*|\b(?:and|or|but|so|then|please|also)\s+)`;
const cues = new RegExp(
  [
    String.raw`\b(?:without|refrain(?:s|ed)? from|under no circumstances)\b`,
    String.raw`\b(?:must|may|should|shall)(?:n't| not| never)\b`,
    String.raw`\b(?:forbidden|prohibited|not allowed|not permitted|disallowed)\b`,
    String.raw`${opening}(?:do not|don't|cannot|can't|can not|never|avoid|omit|exclude|leave out)\b`,
    String.raw`[,;:(\u2013\u2014-]\s*not\b`,
    // "Invent no name", "Bring in nothing", "and nothing else"
    String.raw`^\W*(?:\w+ )?no\b|^\W*\w+(?: \w+)? nothing\b|\b(?:and|for|but|with) nothing\b`,
  ].join("|"),
  "i",
);

/** Every cue has one of these, and a search for them costs far less than one for cues. */
const hints = [
  "no",
  "n't",
  "never",
  "without",
  "refrain",
  "forbidden",
  "prohibited",
  "disallowed",
  "avoid",
  "omit",
  "exclude",
  "leave out",
];

function prohibitionsIn(text: string): readonly Prohibition[] {
  const plain = text.replaceAll("’", "'");
  const lower = plain.toLowerCase();
  if (!hints.some((hint) => lower.includes(hint))) return [];
  return sentencesOf(plain).flatMap((sentence) => {
    const cue = cues.exec(sentence);
    if (cue === null) return [];
    const after = contentOf(sentence.slice(cue.index + cue[0].length));
    // "PDF links are forbidden": what is forbidden stands before.
    const forbids = after.size > 0 ? after : contentOf(sentence.slice(0, cue.index));
    return [{ sentence, forbids }];
  });
}

function says(other: Prohibition, { sentence, forbids }: Prohibition): boolean {
  if (other.sentence === sentence) return true;
  return forbids.size > 0 && 2 * forbids.intersection(other.forbids).size >= forbids.size;
}

const small = new Set(
  "a an the of to in on at by for from with and or but nor if as is are was were be been it its this that these those any all every each other than then so such you your their them they he she we us our i do does not no never ever one ones more most only also what which who when where how there will would can could may must should out up about into".split(
    " ",
  ),
);

/** Without endings, so that "citing", "cites" and "citations" are one word. */
function contentOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !small.has(word)).map((word) => word.replace(ending, "")));
}

const ending = /(?<=.{3})(?:ations?|ings?|ed|es|s|e)$/u;
