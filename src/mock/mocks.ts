import type { LmIdentity } from "../contract/index.ts";

/** A part of a run that a model, or a mock, can play. */
export type PlayedPart = (typeof playedParts)[number];

export const playedParts = [
  "lm",
  "reflectionLm",
  "judgeLm",
  "teacherLm",
  "embedder",
  "reranker",
  "pairScorer",
  "tokenizer",
] as const;

/** A part and the mock that played it. */
export interface Mock extends LmIdentity {
  readonly part: PlayedPart;
}

/** The parts that a mock plays. */
export function mocksAmong(
  parts: Readonly<Partial<Record<PlayedPart, LmIdentity | undefined>>>,
): readonly Mock[] {
  return playedParts.flatMap((part) => {
    const identity = parts[part];
    if (identity === undefined || !isMock(identity)) return [];
    const { provider, model } = identity;
    return [{ part, provider, model }];
  });
}

/**
 * Whether an identity, possibly read from a file, is that of a mock. A rehearsal server reveals
 * itself by its model's name, so that a URL does not hide it. Returns false for anything that is
 * not an identity.
 */
export function isMock(identity: unknown): boolean {
  if (typeof identity !== "object" || identity === null) return false;
  const { provider, model }: { readonly provider?: unknown; readonly model?: unknown } = identity;
  if (typeof provider !== "string" || typeof model !== "string") return false;
  return /\brehearsal\b/.test(`${provider} ${model}`);
}

/** Those among the LMs that answer. */
export function mockLms(lms: readonly { readonly identity: LmIdentity }[]): readonly Mock[] {
  return distinctMocks(lms.flatMap(({ identity }) => mocksAmong({ lm: identity })));
}

/** Whether a language model was played by a mock, so that its texts are not a model's. */
export function isRehearsal(mocks: readonly Mock[]): boolean {
  return mocks.some((each) => languageModels.has(each.part) && isMock(each));
}

const languageModels: ReadonlySet<PlayedPart> = new Set<PlayedPart>([
  "lm",
  "reflectionLm",
  "judgeLm",
  "teacherLm",
]);

/** Each part and mock once, in the order of their first appearance. */
export function distinctMocks(mocks: readonly Mock[]): readonly Mock[] {
  const keyOf = ({ part, provider, model }: Mock): string =>
    JSON.stringify([part, provider, model]);
  return [...new Map(mocks.map((each) => [keyOf(each), each])).values()];
}

/**
 * The mocks of a search, by its description as a journal's head holds it: LMs by their
 * identities, other parts as they were named. Searches of plain texts have no LM.
 */
export function mocksOfRun(run: object): readonly Mock[] {
  const { lm, reflectionLm, judgeLm, teacherLm, lms = {}, mocks = [] } = run as PlayedRun;
  return distinctMocks([
    ...mocksAmong({ lm, reflectionLm, judgeLm, teacherLm }),
    ...Object.values(lms).flatMap((identity) => mocksAmong({ lm: identity })),
    ...mocks,
  ]);
}

type PlayedRun = {
  readonly [Lm in "lm" | "reflectionLm" | "judgeLm" | "teacherLm"]?: LmIdentity;
} & {
  /** The LMs of single predictors. */
  readonly lms?: Readonly<Record<string, LmIdentity>>;
  readonly mocks?: readonly Mock[];
};

/** Labels for anything obtained with mocks; each text is empty if there is none. */
export interface MockLabel {
  /** Machine-readable, for example in an HTTP header. */
  readonly name: string;
  /** Which mock plays which part. */
  readonly parts: string;
  /** Follows the name of a model. */
  readonly inBrackets: string;
  /** Ends a line. */
  readonly suffix: string;
  /** The first line of a command's output. */
  readonly opening: string;
  /** A separate line beside figures, the last of a command's output. */
  readonly warning: string;
  /** A sentence for users of a server. */
  readonly notice: string;
}

export function mockLabel(mocks: readonly Mock[]): MockLabel {
  if (mocks.length === 0) return none;
  const parts = mocks.map((each) => `${nouns[each.part]} (${shown(each)})`).join(", ");
  const opening = `mocks play ${parts}`;
  if (isRehearsal(mocks)) {
    return {
      name: "rehearsal",
      parts,
      inBrackets: " (rehearsal)",
      suffix: ", rehearsal",
      opening,
      warning: `rehearsal: figures from the rehearsal LM show that the machinery works and say nothing about a real model; ${opening}`,
      notice:
        "Answers come from the rehearsal LM, a mock that follows simple rules: they show that the machinery works and say nothing about a real model.",
    };
  }
  return {
    name: "mocks",
    parts,
    inBrackets: " (with mocks)",
    suffix: ", with mocks",
    opening,
    warning: `${opening}: figures would differ with models in their place`,
    notice: `Mocks that follow simple rules play ${parts}: answers would differ with models in their place.`,
  };
}

function shown({ provider, model }: Mock): string {
  if (provider === model || provider === "espalier") return model;
  return `${provider} ${model}`;
}

const nouns: Readonly<Record<PlayedPart, string>> = {
  lm: "LM",
  reflectionLm: "reflection LM",
  judgeLm: "judge LM",
  teacherLm: "teacher LM",
  embedder: "embedder",
  reranker: "reranker",
  pairScorer: "pair scorer",
  tokenizer: "tokenizer",
};

const none: MockLabel = {
  name: "",
  parts: "",
  inBrackets: "",
  suffix: "",
  opening: "",
  warning: "",
  notice: "",
};
