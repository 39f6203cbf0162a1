import type { LanguageModel } from "../../contract/index.ts";
import { EspalierError, LmError } from "../../errors/index.ts";

/** Ends a call that was made elsewhere as it ended there; asks the LM for any other. */
export function remoteCall(lm: LanguageModel): LanguageModel {
  return {
    identity: lm.identity,
    doGenerate: async (request, options) => {
      const made = options?.made;
      if (made === undefined) return lm.doGenerate(request, options);
      for (const code of made.faults ?? []) {
        await options?.onRetry?.(new LmError({ code, problem: "A request failed elsewhere" }));
      }
      if ("reply" in made) return made.reply;
      const { code, message: problem } = made.failure;
      throw code.startsWith("lm-")
        ? new LmError({ code, problem })
        : new EspalierError({ code, problem });
    },
  };
}
