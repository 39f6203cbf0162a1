import type { PlayedPart, Mock } from "./mocks.ts";
import { isRehearsal } from "./mocks.ts";

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
        "The rehearsal LM answers, a mock that follows simple rules: what it says shows that the machinery works, and says nothing about a real model.",
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
