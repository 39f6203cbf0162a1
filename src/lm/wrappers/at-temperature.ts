import type { LanguageModel } from "../../contract/index.ts";

/** Every call at one temperature; without one, the LM as it is. */
export function atTemperature(lm: LanguageModel, temperature: number | undefined): LanguageModel {
  if (temperature === undefined) return lm;
  return {
    identity: lm.identity,
    doGenerate: (request, options) =>
      lm.doGenerate({ ...request, sampling: { ...request.sampling, temperature } }, options),
  };
}
