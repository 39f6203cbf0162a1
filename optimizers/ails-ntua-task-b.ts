/**
 * Task B of AILS-NTUA, answers from given passages, on four shelves; on MTRAG with its reference
 * passages with `--trainset mtrag`. Judged by the judge LM of the servers file.
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import { ailsGeneration } from "../programs/ails-ntua/index.ts";
import { fourShelves, fourShelvesPassages } from "../trainsets/four-shelves/index.ts";
import { withInputs } from "./support/ails-data.ts";
import { answerQuality, ofGivenPassages } from "./support/answer-quality.ts";
import { mtragPassages } from "./support/mtrag-data.ts";

export default async (parts: Parts) => {
  const common = {
    name: "ails-ntua-task-b",
    program: ailsGeneration(),
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
  };
  const byId = new Map((await fourShelvesPassages()).map((passage) => [passage.id, passage]));
  const shelves = withInputs(await fourShelves(), ({ input, labels: { relevant } }) => ({
    ...input,
    passages: Object.keys(relevant).flatMap((id) => byId.get(id) ?? []),
  }));
  return study({
    ...common,
    trainset: shelves,
    variants: { mtrag: async () => study({ ...common, trainset: await mtragPassages() }) },
  });
};
