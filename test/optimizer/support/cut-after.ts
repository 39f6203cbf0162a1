import type { LanguageModel } from "espalier";

/** What to give a search that is to be aborted with its n-th call of an LM. */
export function cutAfter(
  calls: number,
  { identity, doGenerate }: LanguageModel,
): { readonly lm: LanguageModel; readonly signal: AbortSignal } {
  const controller = new AbortController();
  let made = 0;
  return {
    lm: {
      identity,
      doGenerate: (request, options) => {
        if (++made === calls) controller.abort();
        return doGenerate(request, options);
      },
    },
    signal: controller.signal,
  };
}
