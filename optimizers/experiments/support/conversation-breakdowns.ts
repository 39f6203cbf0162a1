import type { Breakdown, ExperimentFigure } from "espalier";
import type {
  ConversationalInput,
  ConversationalLabels,
} from "../../../trainsets/conversational.ts";
import type { MtragLabels } from "../../../trainsets/mtrag/index.ts";

/** As AILS-NTUA groups turns: the first, the next four, and later ones alike. */
const lastTurn = 6;

/** How the papers on MTRAG break their figures down, as far as the examples' labels tell. */
export const conversationBreakdowns: readonly Breakdown[] = [
  { name: "collection", by: "collection" },
  { name: "gold label", by: "answerability" },
  {
    name: "question type",
    by: ({ example }) => {
      const { questionType, questionTypes } = example.labels as ConversationalLabels &
        Partial<Pick<MtragLabels, "questionTypes">>;
      return questionTypes ?? questionType;
    },
  },
  {
    name: "turn",
    by: ({ example }) => {
      const { history } = example.input as ConversationalInput;
      const turn = 1 + history.filter(({ speaker }) => speaker === "user").length;
      return turn < lastTurn ? `turn ${turn}` : `turn ${lastTurn} and later`;
    },
  },
  {
    name: "standalone",
    by: ({ example }) => {
      const { question, history } = example.input as ConversationalInput;
      const { standalone, dependence } = example.labels as ConversationalLabels &
        Partial<Pick<MtragLabels, "dependence">>;
      if (dependence !== undefined) return dependence;
      if (history.length === 0 || standalone === question) return "standalone";
      return standalone === undefined ? "unknown" : "dependent";
    },
  },
];

/** How far an answer declined, as the metric's judge found: not, partly, wholly. */
export const byAbstention: Breakdown = {
  name: "IDK level",
  by: ({ score }) => (score.kind === "scored" ? (score.verdicts?.["idk"] ?? null) : null),
};

/** The share of answers that declined wholly or in part, as NLP-CEIA-UFG counts them. */
export const abstentionRate: ExperimentFigure = {
  name: "idk_rate",
  of: ({ score }) => {
    const idk = score.kind === "scored" ? score.verdicts?.["idk"] : undefined;
    if (idk === undefined || idk === "unknown") return null;
    return idk === "0" ? 0 : 1;
  },
};
