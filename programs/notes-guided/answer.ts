import type { Call, InputOf, OutputOf, RankedPassage, Text } from "espalier";
import { choice, FormatError, labelWeight, predict, real } from "espalier";
import {
  askClarification,
  classifyAnswerability,
  writeCompleteAnswer,
  writePartialAnswer,
} from "../../signatures/index.ts";
import { cutText } from "../support/cut-text.ts";
import type { notesGuidedInput } from "./retrieval-modules.ts";

/** The authors' setting for the generators: Gemini 2.5 Flash at temperature 0.1. */
const generators = { temperature: 0.1, topP: 0.9, maxCompletionTokens: 1024 };
const classifier = { temperature: 0 };

/** The predictors and parameters that judge and answer. */
export const answerModules = {
  predictors: {
    classifyAnswerability: predict(classifyAnswerability, { sampling: classifier }),
    writeCompleteAnswer: predict(writeCompleteAnswer, { sampling: generators }),
    writePartialAnswer: predict(writePartialAnswer, { sampling: generators }),
    askClarification: predict(askClarification, { sampling: generators }),
  },
  parameters: {
    /** What decides whether to abstain: the classifier's label, as in the paper, or a threshold. */
    abstainBy: choice(["label", "confidence"]),
    /** Minimum confidence of UNANSWERABLE to abstain; applies if `abstainBy` is `confidence`. */
    abstentionThreshold: real({ default: 0.5, min: 0, max: 1 }),
  },
} as const;

/**
 * The same classifier, which also says how likely each label is: by the log-probabilities of its
 * reply, or else by the confidences that it states. Weights decide between the labels.
 */
export const weighedRouting = {
  predictors: {
    classifyAnswerability: predict(classifyAnswerability, {
      sampling: classifier,
      probabilities: {
        label: {
          verbalized: {
            ANSWERABLE: "answerable",
            PARTIAL: "partial",
            UNANSWERABLE: "unanswerable",
          },
        },
      },
    }),
  },
  parameters: {
    /** Both relative to ANSWERABLE. */
    partialWeight: routeWeight("PARTIAL"),
    unanswerableWeight: routeWeight("UNANSWERABLE"),
  },
} as const;

function routeWeight(label: Label) {
  return labelWeight({ predictor: "classifyAnswerability", field: "label", label });
}

type AnswerCall = Call<typeof answerModules.predictors, typeof answerModules.parameters>;
type Judgement = OutputOf<(typeof classifyAnswerability)["output"]>;

export const answerabilityLabels = ["ANSWERABLE", "PARTIAL", "UNANSWERABLE"] as const;
type Label = (typeof answerabilityLabels)[number];

interface Answered {
  readonly answer: Text<"answer">;
  readonly label: Label;
}

/**
 * Judges whether the passages answer the question, and lets one of three generators write the
 * answer. Unreadable replies are handled as the authors did: a judgement counts as ANSWERABLE, and
 * an apology replaces an answer. A server fault fails the run instead.
 */
export async function answer(
  { question, history }: InputOf<typeof notesGuidedInput>,
  passages: readonly RankedPassage[],
  call: AnswerCall,
): Promise<Answered> {
  const { predictors } = call;
  const label = passages.length === 0 ? "UNANSWERABLE" : await judge();
  try {
    return { answer: await write(), label };
  } catch (error) {
    if (!FormatError.isInstance(error)) throw error;
    call.note("answer", "unreadable");
    return { answer: apology, label };
  }

  async function judge(): Promise<Label> {
    const best = passages
      .slice(0, 5)
      .map((passage) => ({ ...passage, text: cutText(passage.text, 500) }));
    try {
      return decide(await predictors.classifyAnswerability({ question, passages: best }), call);
    } catch (error) {
      if (!FormatError.isInstance(error)) throw error;
      call.note("label", "unreadable");
      return "ANSWERABLE";
    }
  }

  async function write(): Promise<Text<"answer">> {
    if (label === "UNANSWERABLE") {
      const asked = await predictors.askClarification({ question, history: history.slice(-3) });
      return asked.answer;
    }
    const evidence = passages.map((passage) => ({
      ...passage,
      text: cutText(passage.text, 800),
    }));
    const given = { question, history: history.slice(-5), passages: evidence };
    const made =
      label === "ANSWERABLE"
        ? await predictors.writeCompleteAnswer(given)
        : await predictors.writePartialAnswer(given);
    return made.answer;
  }
}

/** The benchmark's judges read it as an abstention, as they did the authors' wording. */
const apology = "I cannot answer this at the moment because of a technical problem.";

function decide(
  { label, answerable, partial, unanswerable }: Judgement,
  { parameters: { abstainBy, abstentionThreshold } }: AnswerCall,
): Label {
  if (abstainBy === "label") return label;
  if (unanswerable >= abstentionThreshold) return "UNANSWERABLE";
  return answerable >= partial ? "ANSWERABLE" : "PARTIAL";
}
