import { describe, expect, it } from "vitest";
import { typeErrors } from "../../support/type-errors.ts";

/**
 * Values by the role that they play in the retrieval. The name of a collection is a word of a list
 * and plain text, which any role takes.
 */
const roles = {
  question: "question",
  history: "history",
  rewrite: "made.rewritten",
  hypothetical: "passage.passage",
  anchor: "terms.anchors[0]",
  keyword: "terms.keywords[0]",
  reasoning: "thought.reasoning",
} as const;
type Role = keyof typeof roles;

/** Places that take one of them each; `$` stands for the value. */
const places: Readonly<Record<string, { readonly takes: Role | "corpus"; readonly code: string }>> =
  {
    "the question of the program": {
      takes: "question",
      code: "retrieval.run({ question: $, history, corpus }, options);",
    },
    "the history of the program": {
      takes: "history",
      code: "retrieval.run({ question, history: $, corpus }, options);",
    },
    "the collection of the program": {
      takes: "corpus",
      code: "retrieval.run({ question, history, corpus: $ }, options);",
    },
    ...Object.fromEntries(
      [
        "rewriteMinimally",
        "rewriteForEncyclopedia",
        "rewriteForFinanceForum",
        "rewriteForAgencyPages",
        "rewriteForCloudDocumentation",
        "rewriteStepByStep",
        "writeHypotheticalPassage",
        "rewriteWithKeywords",
      ].flatMap((predictor) => [
        [
          `the question of ${predictor}`,
          { takes: "question", code: `predictors.${predictor}({ question: $, history });` },
        ],
        [
          `the history of ${predictor}`,
          { takes: "history", code: `predictors.${predictor}({ question, history: $ });` },
        ],
      ]),
    ),
    "the standalone question of the hypothetical query": {
      takes: "rewrite",
      code: "hypotheticalQuery({ standalone: $, passage: passage.passage });",
    },
    "the passage of the hypothetical query": {
      takes: "hypothetical",
      code: "hypotheticalQuery({ standalone: made.rewritten, passage: $ });",
    },
    "the rewrite of the anchor-keyword query": {
      takes: "rewrite",
      code: "anchorKeywordQuery({ rewritten: $, anchors: [], keywords: [] });",
    },
    "an anchor of the anchor-keyword query": {
      takes: "anchor",
      code: "anchorKeywordQuery({ rewritten: made.rewritten, anchors: [$], keywords: [] });",
    },
    "a keyword of the anchor-keyword query": {
      takes: "keyword",
      code: "anchorKeywordQuery({ rewritten: made.rewritten, anchors: [], keywords: [$] });",
    },
  };

const cases = Object.entries(places).flatMap(([place, { takes, code }]) =>
  (Object.keys(roles) as Role[]).map((role) => ({
    name: `${role} as ${place}`,
    isRight: role === takes,
    code: code.replace("$", roles[role]),
  })),
);

const prelude = `
    import type { RunOptions, Text, Turn } from "espalier";
    import type { CorpusName } from "../../programs/ails-ntua/index.ts";
    import { ailsRetrieval } from "../../programs/ails-ntua/index.ts";
    import type { RetrievalCall } from "../../programs/ails-ntua/retrieval/index.ts";
    import { anchorKeywordQuery, hypotheticalQuery } from "../../programs/ails-ntua/retrieval/query-of-parts.ts";
    declare const retrieval: ReturnType<typeof ailsRetrieval>;
    declare const predictors: RetrievalCall["predictors"];
    declare const options: RunOptions;
    declare const question: Text<"question">;
    declare const history: readonly Turn[];
    declare const corpus: CorpusName;
    declare const made: { readonly rewritten: Text<"query"> };
    declare const passage: { readonly passage: Text<"passage"> };
    declare const thought: { readonly reasoning: Text<"thought"> };
    declare const terms: { readonly anchors: readonly [Text<"anchor">]; readonly keywords: readonly [Text<"keyword">] };
  `;

describe("wiring the retrieval", () => {
  const errors = typeErrors(
    prelude,
    Object.fromEntries(cases.map(({ name, code }) => [name, code])),
  );

  it("covers every pair of a place and a role", () => {
    expect(cases).toHaveLength(Object.keys(places).length * Object.keys(roles).length);
    expect(Object.keys(places)).toHaveLength(24);
  });

  it.each(cases.filter(({ isRight }) => isRight))("takes $name", ({ name }) => {
    expect(errors[name]).toEqual([]);
  });

  it.each(cases.filter(({ isRight }) => !isRight))("refuses $name", ({ name }) => {
    expect(errors[name]).not.toEqual([]);
  });
});
