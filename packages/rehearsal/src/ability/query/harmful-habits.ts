import type { Draft, QueryBehaviour } from "./draft.ts";

/** If asked to be long or ornate, it complies: words useless to a search crowd out the others. */
export const padText: QueryBehaviour = {
  name: "pad-text",
  cues: [
    { all: ["ornate"], weight: 0.9, negated: 0 },
    { all: ["long", "query"], weight: 0.7, negated: 0 },
    { all: ["long"], weight: 0.5, negated: 0 },
  ],
  apply: (draft, level, { reader }) => {
    if (level < 0.3) return draft;
    const padding = reader.words(ornaments).slice(0, Math.round(level * 30));
    const kept = Math.max(1, Math.ceil((draft.base.length + draft.added.length) * (1 - level)));
    const words = [...draft.base, ...draft.added].slice(0, kept);
    return { ...draft, base: [], added: [...padding, ...words] };
  },
};

const ornaments = `In the vast and wondrous tapestry of all that may be asked, one would dearly wish to learn, with
  every nuance and splendour of expression, whatever can be told in full and glorious detail`;

/** If asked to omit names or stay vague, it complies. */
export const dropNames: QueryBehaviour = {
  name: "drop-names",
  cues: [
    { all: ["vague", "reference"], weight: 0 },
    { all: ["vague"], weight: 0.8, negated: 0 },
    {
      all: ["use", "entity"],
      none: ["functionword", "passages", "ownwords", "astray"],
      weight: 0,
      negated: 0.9,
    },
    {
      all: ["entity"],
      none: ["functionword", "passages", "ownwords", "oneword", "astray"],
      weight: 0,
      negated: 0.8,
    },
  ],
  apply: (draft, level) => {
    if (level < 0.3) return draft;
    const plain = (words: Draft["base"]): Draft["base"] =>
      words.filter(({ isName, kind }, index) => !isName && (kind !== "content" || index % 2 === 0));
    return { ...draft, base: plain(draft.base), added: [] };
  },
};

/** If asked to repeat an earlier question or query, it complies. */
export const repeatEarlier: QueryBehaviour = {
  name: "repeat-earlier",
  cues: [
    { all: ["repeat", "firstquestion"], none: ["entity"], weight: 0.9, negated: 0 },
    { all: ["repeat", "pastquery"], weight: 0.9, negated: 0 },
  ],
  apply: (draft, level, { material, reader }) => {
    const earlier =
      material.pastQueries.at(-1) ?? material.turns.find(({ speaker }) => speaker === "user")?.text;
    if (level < 0.5 || earlier === undefined) return draft;
    return { ...draft, base: reader.words(earlier), added: [] };
  },
};

/** If asked to avoid the question's own words, it complies. */
export const shunOwnWords: QueryBehaviour = {
  name: "shun-own-words",
  cues: [{ all: ["ownwords"], weight: 0, negated: 0.9 }],
  apply: (draft, level) =>
    level < 0.3 ? draft : { ...draft, base: draft.base.filter(({ kind }) => kind !== "content") },
};
