export interface SetParagraph {
  readonly title: string;
  readonly text: string;
}

/** A question of a set, whatever the layout of its file. */
export interface SetQuestion {
  readonly id: string;
  readonly question: string;
  /** The set that it belongs to, if its file holds several. */
  readonly dataset?: string;
  /** Best spelling first; empty if the file does not say, or says that there is none. */
  readonly answers: readonly string[];
  /** Names the answer in a file of its other spellings. */
  readonly answerId?: string;
  /** The set's own name for it: `bridge`, `comparison`, `2hop`... */
  readonly type: string;
  /** What questions that are not independent have in common. @default the id */
  readonly cluster?: string;
  /** The paragraphs that come with the question, needed or not. */
  readonly paragraphs: readonly SetParagraph[];
  /** Those that the answer needs; without a text if it does not come with the question. */
  readonly support: readonly (Pick<SetParagraph, "title"> & Partial<SetParagraph>)[];
  /** What has to be found out, in order, with earlier answers filled in. */
  readonly steps: readonly SetStep[];
  /** Files with texts about the question, below the set's evidence folder. */
  readonly evidence?: readonly { readonly title: string; readonly file: string }[];
}

interface SetStep {
  readonly question: string;
  readonly answer: string;
  readonly supportTitle?: string;
}
