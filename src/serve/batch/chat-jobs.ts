import type { LanguageModel } from "../../contract/index.ts";
import { checkCount } from "../../internal/index.ts";
import type { ChatModel } from "../model/chat-model.ts";
import { runChat } from "../model/chat-run.ts";
import { inputTooLong } from "../model/input-too-long.ts";
import { withOneInput } from "../model/with-one-input.ts";
import type { BatchFormat, BatchQuestion } from "../protocol/batch-format.ts";
import type { BatchJob } from "./batch-job.ts";

/**
 * Questions of a protocol, answered by a chat model. The id of a row determines its seed: a
 * repeated question samples the same.
 *
 * @throws EspalierError `option-invalid`
 */
export function chatJobs(
  questions: readonly BatchQuestion[],
  {
    model,
    lm,
    maxInput,
    format,
  }: {
    readonly model: ChatModel;
    readonly lm: LanguageModel;
    /** Maximum UTF-16 code units of a text whose field has no maximum of its own; at least 1. */
    readonly maxInput: number;
    readonly format: BatchFormat;
  },
): readonly BatchJob[] {
  checkCount("maxInput", maxInput);
  return questions.map(({ id, question, history = [] }) => ({
    id,
    run: async (signal) => {
      const given = withOneInput(model);
      const asked = { question, history, images: [], askedAt: new Date() };
      const why = inputTooLong(given, asked, maxInput);
      if (why !== null) return { state: "refused", why };
      const outcome = await runChat(given, { ...asked, id: String(id), lm, signal });
      const { trace, failure = null } = outcome;
      return { state: "ran", trace, failure, line: () => format.lineOf(id, outcome) };
    },
    failedLine: (message) => format.failedLine(id, message),
  }));
}
