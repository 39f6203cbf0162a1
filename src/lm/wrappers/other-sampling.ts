import type { LanguageModel, LmRole } from "../../contract/index.ts";

/** Every call at one temperature; without one, the LM as it is. */
export function atTemperature(lm: LanguageModel, temperature: number | undefined): LanguageModel {
  if (temperature === undefined) return lm;
  return {
    identity: lm.identity,
    doGenerate: (request, options) =>
      lm.doGenerate({ ...request, sampling: { ...request.sampling, temperature } }, options),
  };
}

/**
 * A program's own calls under one more cap; judges and reflection write what they ask for. It is
 * another LM, so that no run mixes replies of two caps.
 */
export function atMostTokens(lm: LanguageModel, most: number): LanguageModel {
  const { provider, model } = lm.identity;
  return {
    identity: { provider, model: `${model}, at most ${most} tokens` },
    doGenerate: async (request, options = {}) => {
      const { sampling } = request;
      const isOwn = !others.has(options.role ?? "student");
      if (!isOwn || sampling.maxCompletionTokens <= most) return lm.doGenerate(request, options);
      const capped = { ...request, sampling: { ...sampling, maxCompletionTokens: most } };
      return { ...(await lm.doGenerate(capped, options)), maxCompletionTokens: most };
    },
  };
}

const others: ReadonlySet<LmRole> = new Set(["judge", "reflection", "reranking"]);
