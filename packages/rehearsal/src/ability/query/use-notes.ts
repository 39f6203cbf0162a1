import type { NoteSections } from "../material/note-sections.ts";
import { leadingNames } from "../material/leading-names.ts";
import { salientTerms } from "../material/salient-terms.ts";
import type { QueryBehaviour, QueryContext } from "./draft.ts";
import { stemsOf, withTerms } from "./draft.ts";

/** Searches for what earlier steps suggested. */
export const useSuggestions: QueryBehaviour = {
  name: "use-suggestions",
  cues: [
    { all: ["use", "suggestion"], weight: 0.6 },
    { all: ["suggestion"], weight: 0.4 },
    { all: ["use", "notes"], weight: 0.45 },
  ],
  apply: (draft, level, context) => fromNotes(draft, level, context, "suggestions"),
};

/** Searches for what earlier steps found missing. */
export const useGaps: QueryBehaviour = {
  name: "use-gaps",
  cues: [
    { all: ["use", "gap"], weight: 0.6 },
    { all: ["gap", "query"], weight: 0.5 },
    { all: ["use", "notes"], weight: 0.45 },
  ],
  apply: (draft, level, context) => fromNotes(draft, level, context, "missing"),
};

/** Starts from names that earlier steps found: the bridge to the next fact. */
export const useFindings: QueryBehaviour = {
  name: "use-findings",
  cues: [
    { all: ["use", "entity", "finding"], weight: 0.7 },
    { all: ["use", "entity", "notes"], weight: 0.7 },
    { all: ["use", "finding"], weight: 0.5, negated: -0.8 },
    { all: ["use", "notes"], weight: 0.45 },
  ],
  apply: (draft, level, context) => fromNotes(draft, level, context, "findings"),
};

function fromNotes(
  draft: Parameters<QueryBehaviour["apply"]>[0],
  level: number,
  { material, reader, jitter }: QueryContext,
  section: keyof NoteSections,
): ReturnType<QueryBehaviour["apply"]> {
  const notes = material.notes[section];
  if (notes.length === 0 || level < 0.2) return draft;
  const weighed = notes.map((text, index) => ({
    text,
    weight: 0.8 ** (notes.length - 1 - index) * jitter(),
  }));
  const held = stemsOf(draft);
  if (section === "findings") {
    const asked = reader.stems(material.question);
    // Weaker names do not replace names that the query already has.
    const names = leadingNames(weighed, material.question, reader, asked);
    if (names.length > 0) {
      const best = names.slice(0, Math.round(level * maxTerms));
      return withTerms(draft, best, best.length);
    }
  }
  const terms = salientTerms(weighed, reader, held);
  return withTerms(draft, terms, Math.round(level * maxTerms));
}

const maxTerms = 5;
