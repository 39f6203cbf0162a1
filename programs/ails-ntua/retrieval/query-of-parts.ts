import type { Text } from "espalier";

/** The authors' caps on the anchor-keyword query. */
const maxAnchors = 8;
const maxKeywords = 12;
const maxWords = 28;

/** The query of the hypothetical document: the question alone, then the passage. */
export function hypotheticalQuery({
  standalone,
  passage,
}: {
  readonly standalone: Text<"query">;
  readonly passage: Text<"passage">;
}): Text<"query"> {
  return `${standalone} ${passage}`.trim();
}

/**
 * The rewrite, then at most 8 anchors, then at most 12 keywords, cut after 28 words. Leaves out a
 * term that differs from an earlier one of its list only by case, white space or quotes.
 */
export function anchorKeywordQuery({
  rewritten,
  anchors,
  keywords,
}: {
  readonly rewritten: Text<"query">;
  readonly anchors: readonly Text<"anchor">[];
  readonly keywords: readonly Text<"keyword">[];
}): Text<"query"> {
  const parts = [
    rewritten,
    ...distinctTerms(anchors).slice(0, maxAnchors),
    ...distinctTerms(keywords).slice(0, maxKeywords),
  ];
  const words = parts.join(" ").split(/\s+/).filter(Boolean);
  return words.slice(0, maxWords).join(" ");
}

function distinctTerms(terms: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return terms
    .map((term) => term.trim())
    .filter((term) => {
      const key = term.toLowerCase().replace(/\s+/g, " ").replace(/["'`]/g, "");
      return key !== "" && !seen.has(key) && seen.add(key).has(key);
    });
}
