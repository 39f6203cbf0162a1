import type { LanguageModel } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { LmChoice } from "./open-lm.ts";
import type { OpenedLms } from "./open-lms.ts";
import { openLms } from "./open-lms.ts";
import type { RunServers } from "./run-servers.ts";

/**
 * For a program whose examples hold recorded outputs of models: asks no server, and puts in the
 * LM's place what names the models and refuses to answer. The run's other parts stay as they are.
 */
export async function openRecorded(
  models: readonly string[],
  servers: RunServers,
  choice: LmChoice,
): Promise<OpenedLms> {
  const unasked = { ...servers, answer: undefined, roles: {}, usual: {}, asked: {} };
  return openLms(unasked, choice, { programs: [], own: recordedLm(models) });
}

function recordedLm(models: readonly string[]): LanguageModel {
  return {
    identity: { provider: "recorded", model: models.length === 0 ? "none" : models.join(", ") },
    doGenerate: async (_request, { callPath, exampleId } = {}) => {
      throw new EspalierError({
        code: "experiment-invalid",
        problem: "A row of recorded outputs asked an LM",
        where: [callPath, exampleId].filter(Boolean).join(", "),
        expected: "a program without predictors, and a metric without a judge",
        fix: "Remove `recorded` from the row, or ask nothing in its study.",
      });
    },
  };
}
