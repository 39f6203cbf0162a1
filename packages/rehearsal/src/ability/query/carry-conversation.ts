import type { Demonstration } from "../../reading/index.ts";
import { textsIn } from "../../reading/index.ts";
import type { Material } from "../material/material.ts";
import type { Term } from "../material/salient-terms.ts";
import { salientTerms } from "../material/salient-terms.ts";
import type { QueryBehaviour, QueryContext } from "./draft.ts";
import { stemsOf, withTerms } from "./draft.ts";

/**
 * Makes the query self-contained: adds the topics of the conversation, more of them the more the
 * question leaves unsaid.
 */
export const carryConversation: QueryBehaviour = {
  name: "carry-conversation",
  cues: [
    { all: ["only", "latest"], none: ["standalone"], weight: -0.95, negated: 0.4 },
    { all: ["latest"], none: ["standalone", "conversation", "resolve"], weight: 0, negated: 0 },
    { all: ["isolated"], none: ["standalone"], weight: -0.95, negated: 0.4 },
    { all: ["verbatim", "reference"], weight: -0.9, negated: 0.4 },
    { all: ["only", "pronoun"], none: ["resolve"], weight: -0.9, negated: 0.4 },
    { all: ["verbatim", "question"], none: ["suggestion"], weight: -0.9, negated: 0.3 },
    { all: ["standalone"], weight: 0.6, negated: -0.9 },
    { all: ["understand", "conversation"], weight: 0.55, negated: 0.6 },
    { all: ["understand", "reader"], weight: 0.5 },
    { all: ["depend", "conversation"], none: ["reference"], weight: 0.4, negated: 0.6 },
    { all: ["resolve", "reference"], weight: 0.6 },
    { all: ["resolve", "conversation"], weight: 0.6 },
    { all: ["use", "reference", "conversation"], weight: 0.6 },
    { all: ["use", "entity", "conversation"], weight: 0.7 },
    { all: ["use", "conversation"], weight: 0.55 },
    { all: ["use", "meant"], weight: 0.55 },
    { all: ["meant", "query"], weight: 0.5 },
    { all: ["resolve", "meant"], weight: 0.55 },
    { all: ["use", "reference", "entity"], weight: 0.5 },
    { all: ["entity", "conversation"], weight: 0.5 },
    { all: ["conversation", "query"], weight: 0.3 },
    { all: ["conversation"], weight: 0.12 },
  ],
  shownBy: carriedIn,
  apply: (draft, level, context) =>
    withTerms(draft, talkTerms(draft, context), Math.round(level * maxTerms * context.need)),
};

const maxTerms = 5;

function talkTerms(
  draft: Parameters<QueryBehaviour["apply"]>[0],
  { material, reader, jitter }: QueryContext,
): readonly Term[] {
  const { turns } = material;
  const weighed = turns.map(({ speaker, text }, index) => ({
    text,
    weight: (speaker === "user" ? 2 : 0.5) * 0.75 ** (turns.length - 1 - index),
  }));
  const terms = salientTerms(weighed, reader, stemsOf(draft));
  const spread = turnCounts(material, reader);
  return terms
    .map((term) => ({
      ...term,
      // Terms that several turns mention are the topic of the conversation.
      score: term.score * Math.min(3, spread.get(term.stem) ?? 1) * jitter(),
    }))
    .toSorted((left, right) => right.score - left.score || left.index - right.index);
}

function turnCounts(
  { turns }: Material,
  reader: QueryContext["reader"],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of turns) {
    for (const stem of reader.stems(text)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return counts;
}

/**
 * Share of a demonstration's output words that come from its conversation rather than its question.
 */
function carriedIn({ inputs, outputs }: Demonstration): number {
  const wordsIn = (text: string): ReadonlySet<string> =>
    new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);
  const talk = inputs.filter(({ role }) => role === "conversation").map(({ text }) => text);
  const asked = wordsIn(inputs.find(({ role }) => role === "question")?.text ?? "");
  const written = wordsIn(textsIn(outputs).join(" "));
  const said = wordsIn(talk.join(" "));
  if (talk.length === 0 || written.size === 0) return 0;
  const carried = [...written].filter((word) => said.has(word) && !asked.has(word)).length;
  return carried === 0 ? 0 : Math.min(0.9, 0.5 + carried / 10);
}
