import type { PlayedPart, StandIn } from "./stand-ins.ts";
import { isRehearsal } from "./stand-ins.ts";

/** Labels for anything obtained with stand-ins; each text is empty if there is none. */
export interface StandInLabel {
  /** Machine-readable, for example in an HTTP header. */
  readonly name: string;
  /** Which stand-in plays which part. */
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

export function standInLabel(standIns: readonly StandIn[]): StandInLabel {
  if (standIns.length === 0) return none;
  const parts = standIns.map((each) => `${nouns[each.part]} (${shown(each)})`).join(", ");
  const opening = `stand-ins play ${parts}`;
  if (isRehearsal(standIns)) {
    return {
      name: "rehearsal",
      parts,
      inBrackets: " (rehearsal)",
      suffix: ", rehearsal",
      opening,
      warning: `rehearsal: figures from the rehearsal LM show that the machinery works and say nothing about a real model; ${opening}`,
      notice:
        "The rehearsal LM answers, a stand-in that follows simple rules: what it says shows that the machinery works, and says nothing about a real model.",
    };
  }
  return {
    name: "stand-ins",
    parts,
    inBrackets: " (with stand-ins)",
    suffix: ", with stand-ins",
    opening,
    warning: `${opening}: figures would differ with models in their place`,
    notice: `Stand-ins that follow simple rules play ${parts}: answers would differ with models in their place.`,
  };
}

function shown({ provider, model }: StandIn): string {
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

const none: StandInLabel = {
  name: "",
  parts: "",
  inBrackets: "",
  suffix: "",
  opening: "",
  warning: "",
  notice: "",
};
