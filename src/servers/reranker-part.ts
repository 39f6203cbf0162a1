import type { PairScorer, PassageReranker, Reranker } from "../contract/index.ts";
import { connectReranker } from "../lm/index.ts";
import {
  lexicalReranker,
  modelReranker,
  pairReranker,
  qwen3Reranker,
  yesNoReranker,
} from "../retrieval/index.ts";
import type { PartSources } from "./part-sources.ts";
import type { Servers } from "./servers.ts";

export interface RerankerChoice {
  /** What makes a passage relevant, for models that can be told. @default the model's own */
  readonly instruction?: string | undefined;
  /** Plays the part where no server does. @default `lexicalReranker()` */
  readonly standIn?: () => PassageReranker;
}

/** Whether a server ranks: a reranker, an LM that says yes, or a pair scorer. */
export function hasReranker({ reranker, pairScorer }: Servers): boolean {
  return typeof (reranker ?? pairScorer) === "object";
}

/**
 * Ranks by the file's reranker, or else by its pair scorer.
 *
 * @param parts.pairScorer makes the pair scorer when it is needed
 * @param parts.asksLm is told which LM of the file will rank
 */
export function rerankerPart(
  { reranker: given, pairScorer: pairs }: Servers,
  sources: PartSources,
  parts: { readonly pairScorer: () => PairScorer; readonly asksLm: (lm: string) => void },
): (choice?: RerankerChoice) => PassageReranker {
  let connected: Reranker | undefined;
  return ({ instruction, standIn = () => lexicalReranker() } = {}) => {
    if (typeof given === "object" && "lm" in given) {
      parts.asksLm(given.lm);
      return yesNoReranker({ name: yesNoName, ...(instruction && { question: instruction }) });
    }
    if (typeof given === "object") {
      connected ??= sources.connected(
        "reranker",
        connectReranker(sources.reach(given, "reranker")),
      );
      return modelReranker({ reranker: connected });
    }
    if (given === undefined && typeof pairs === "object") {
      const scorer = parts.pairScorer();
      return pairs.template === "qwen3-reranker"
        ? qwen3Reranker({ scorer, ...(instruction && { instruction }) })
        : pairReranker({ scorer });
    }
    const byName = ({ name }: PassageReranker) => ({ provider: "espalier", model: name });
    return sources.standIn("reranker", given, standIn, byName);
  };
}

/** The name under which that reranker asks the run for its LM. */
export const yesNoName = "yesNo";
