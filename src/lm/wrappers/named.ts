import type { LanguageModel } from "../../contract/index.ts";

/**
 * Prefixes the path of each call with a name. For rerankers and judges that call the run's LM
 * several times concurrently: with a separate name for each, seeds do not depend on which call
 * begins first.
 *
 * @example
 * await Promise.all(
 *   claims.map((claim, index) => check.run({ claim }, { lm: named(lm, `claim[${index}]`) })),
 * );
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
