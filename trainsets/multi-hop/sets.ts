import type { QuestionRoute } from "../routed-question.ts";

/** What the loader must know of a set, besides the layout of its rows. */
export interface SetDescription {
  /** The route that HANRAG's router learns for it (appendix B.2). */
  readonly route: QuestionRoute;
  readonly licence: string;
  /** Found in the paths of its files, below the folder of the data. */
  readonly mark: RegExp;
  /** Of several files for one split, the first kind that is there. */
  readonly preferred: readonly RegExp[];
}

/** Sets of questions by the names that `--trainset` takes. */
export const questionSets = {
  hotpotqa: {
    route: "complex",
    licence: "CC BY-SA 4.0",
    mark: /hotpot/i,
    preferred: [/distractor/i, /train/i, /fullwiki/i],
  },
  "2wikimultihopqa": {
    route: "complex",
    licence: "Apache-2.0",
    mark: /2wiki|data_ids/i,
    preferred: [],
  },
  musique: {
    route: "complex",
    licence: "CC BY 4.0",
    mark: /musique/i,
    preferred: [/_ans_/i, /_full_/i],
  },
  squad: {
    route: "single-step",
    licence: "CC BY-SA 4.0",
    mark: /squad|(?:train|dev)-v[12]\.[01]\.json/i,
    preferred: [/v1/i, /v2/i],
  },
  nq: {
    route: "single-step",
    licence: "CC BY-SA 3.0",
    mark: /natural.?questions|(?<![a-z])nq(?![a-z])/i,
    preferred: [/biencoder/i, /open/i, /simplified/i],
  },
  triviaqa: {
    route: "single-step",
    licence: "as its site says: the questions' authors hold their rights",
    mark: /trivia|(?:wikipedia|web)-(?:train|dev)\.json/i,
    preferred: [/biencoder/i, /wikipedia-/i, /unfiltered/i],
  },
  /** In the format of `scripts/build-compound-questions`. */
  compound: {
    route: "compound",
    licence: "that of the documents",
    mark: /compound/i,
    preferred: [],
  },
  /** A set of any other name, in a folder that holds no other; taken to need several steps. */
  questions: {
    route: "complex",
    licence: "that of the set",
    mark: /./,
    preferred: [],
  },
} as const satisfies Readonly<Record<string, SetDescription>>;

export type QuestionSetName = keyof typeof questionSets;
