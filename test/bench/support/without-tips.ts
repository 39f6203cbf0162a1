import type { LanguageModel } from "espalier";
import { tips } from "../../../src/optimizer/mipro-v2/propose-instructions.ts";

/**
 * The same LM, which is shown none of the tips by which `miproV2()` makes instructions differ. They
 * say nothing of the task, but the rehearsal LM takes "say what depends on this step" for the wish
 * that a query name what it refers to, and writes it into the instruction.
 */
export function withoutTips(lm: LanguageModel): LanguageModel {
  const shown = tips.filter((tip) => tip !== "");
  return {
    identity: lm.identity,
    doGenerate: (request, options) => {
      const messages = request.messages.map((message) =>
        typeof message.content === "string"
          ? {
              ...message,
              content: shown.reduce((text, tip) => text.replaceAll(tip, ""), message.content),
            }
          : message,
      );
      return lm.doGenerate({ ...request, messages }, options);
    },
  };
}
