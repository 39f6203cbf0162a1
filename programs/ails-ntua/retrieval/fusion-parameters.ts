import type { ParameterValues } from "espalier";
import { int, real } from "espalier";
import type { CorpusName } from "./corpora.ts";
import type { NestedFusionOptions } from "./nested-fusion.ts";

const rankConstant = (preset: number) =>
  int({ default: preset, min: 1, max: 1000, isLogScale: true });
const share = (preset: number) => real({ default: preset, min: 0, max: 1 });

/**
 * The parameters of both fusions. The values per collection are from table 2 of the paper
 * (AILS-NTUA, SemEval-2026 Task 8), those of the weak consensus and of the reranker from section 4
 * and the authors' code.
 */
export const fusionParameters = {
  rerankK0: rankConstant(60),
  /** Weight of the reranker's term relative to the retriever's. */
  rerankWeight: real({ default: 0.5, min: 0, max: 4 }),
  weakK0: rankConstant(40),
  weakAnchorKeyword: share(0.33),
  weakChainOfThought: share(0.33),
  weakHypothetical: share(0.34),
  clapnqK0: rankConstant(20),
  clapnqMinimal: share(0.55),
  clapnqCorpusSpecific: share(0.4),
  clapnqWeak: share(0.05),
  fiqaK0: rankConstant(60),
  fiqaMinimal: share(0.45),
  fiqaCorpusSpecific: share(0.4),
  fiqaWeak: share(0.15),
  govtK0: rankConstant(40),
  govtMinimal: share(0.65),
  govtCorpusSpecific: share(0.25),
  govtWeak: share(0.1),
  cloudK0: rankConstant(20),
  cloudMinimal: share(0.65),
  cloudCorpusSpecific: share(0.3),
  cloudWeak: share(0.05),
} as const;

export type FusionParameters = typeof fusionParameters;

/** The parameter values for one collection. */
export function nestedFusionOptions(
  parameters: ParameterValues<FusionParameters>,
  corpus: CorpusName,
): NestedFusionOptions {
  const name = corpus === "other" ? "clapnq" : corpus;
  return {
    weak: {
      k0: parameters.weakK0,
      weights: {
        anchorKeyword: parameters.weakAnchorKeyword,
        chainOfThought: parameters.weakChainOfThought,
        hypothetical: parameters.weakHypothetical,
      },
    },
    k0: parameters[`${name}K0`],
    weights: {
      minimal: parameters[`${name}Minimal`],
      corpusSpecific: parameters[`${name}CorpusSpecific`],
      weak: parameters[`${name}Weak`],
    },
  };
}
