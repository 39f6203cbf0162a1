import type { LanguageModel } from "../../contract/index.ts";

/**
 * Puts a name before the path of each call. For rerankers and judges, which ask the LM they were
 * lent several times side by side: with a name for each, seeds do not depend on which call begins
 * first.
 *
 * @example await Promise.all(claims.map((claim, index) => check.run({ claim }, { lm: named(lm,
 * `claim[${index}]`) })));
 */
export function named(lm: LanguageModel, name: string): LanguageModel {
  return {
    identity: lm.identity,
    doGenerate: (request, options = {}) => {
      const { callPath } = options;
      const path = callPath === undefined ? name : `${name}/${callPath}`;
      return lm.doGenerate(request, { ...options, callPath: path });
    },
  };
}
