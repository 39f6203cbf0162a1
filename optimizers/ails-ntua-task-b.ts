/**
 * Task B of AILS-NTUA, answers from given passages, on four shelves; on MTRAG with its reference
 * passages with `--trainset mtrag`. Judged by the judge LM of the servers file. The variants
 * `NAME-STAGE` end with one stage of the pipeline (table 5).
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import type { GenerationStage } from "../programs/ails-ntua/index.ts";
import { ailsGeneration, generationStages } from "../programs/ails-ntua/index.ts";
import { fourShelves, fourShelvesPassages } from "../trainsets/four-shelves/index.ts";
import { withInputs } from "./support/ails-data.ts";
import { answerQuality, ofGivenPassages } from "./support/answer-quality.ts";
import { mtragPassages } from "./support/mtrag-data.ts";

export default async (parts: Parts) => {
  const common = (upTo?: GenerationStage) => ({
    name: "ails-ntua-task-b",
    program: ailsGeneration(upTo && { upTo }),
    objective: ofGivenPassages(
      answerQuality(parts, {
        passages: "contexts",
        blame: {
          retrieving: [],
          abstaining: ["declineToAnswer"],
          answering: ["extractSpans", "writeAnswerA", "writeAnswerB"],
        },
      }),
    ),
    optimizer: gepa({ budget: { metricCalls: 3_000 } }),
  });
  const byId = new Map((await fourShelvesPassages()).map((passage) => [passage.id, passage]));
  const shelves = withInputs(await fourShelves(), ({ input, labels: { relevant } }) => ({
    ...input,
    passages: Object.keys(relevant).flatMap((id) => byId.get(id) ?? []),
  }));
  const onShelves = { ...common(), trainset: shelves };
  const onMtrag = async (upTo?: GenerationStage) =>
    study({ ...common(upTo), trainset: await mtragPassages() });
  const stages = generationStages.flatMap((stage) => [
    [`four-shelves-${stage}`, () => study({ ...onShelves, ...common(stage) })] as const,
    [`mtrag-${stage}`, async () => onMtrag(stage)] as const,
  ]);
  return study({
    ...onShelves,
    variants: { mtrag: async () => onMtrag(), ...Object.fromEntries(stages) },
  });
};
