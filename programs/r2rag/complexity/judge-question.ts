import type { Call, InputOf, Predictor } from "espalier";
import { FormatError, predict, program } from "espalier";
import { judgeComplexity } from "../../../signatures/index.ts";
import { answerInput } from "../answering.ts";
import type { ComplexityClassifier } from "./complexity-classifier.ts";

/** The LM's classifier, or none where another decides: it would be one more thing to optimize. */
export function judgePredictors(complexity: ComplexityClassifier | undefined): {
  readonly judgeComplexity: JudgePredictor;
} {
  return (
    complexity === undefined ? { judgeComplexity: predict(judgeComplexity, classifying) } : {}
  ) as { readonly judgeComplexity: JudgePredictor };
}

/** Greedy, as in the authors' code. */
const classifying = {
  sampling: { temperature: 0, maxCompletionTokens: 4_096 },
  thinking: true,
};

type JudgePredictor = Predictor<
  (typeof judgeComplexity)["input"],
  (typeof judgeComplexity)["output"]
>;
type JudgeCall = Pick<
  Call<{ readonly judgeComplexity: JudgePredictor }, Record<never, never>>,
  "predictors" | "note" | "signal"
>;

/** An unreadable reply counts as simple, like every reply but "yes" in the authors' code. */
export async function judgeQuestion(
  { question }: InputOf<typeof answerInput>,
  call: JudgeCall,
  complexity: ComplexityClassifier | undefined,
): Promise<boolean> {
  if (complexity !== undefined) {
    const { isComplex, probability, usage } = await complexity.doClassify(question, call);
    call.note("complexity", { probability, ...usage });
    return isComplex;
  }
  try {
    return (await call.predictors.judgeComplexity({ question })).isComplex;
  } catch (error) {
    if (!FormatError.isInstance(error)) throw error;
    call.note("complexityFailed", error.message);
    return false;
  }
}

/**
 * R2RAG's router alone, to compare the LM with the trained classifier on more questions than the
 * whole system can answer.
 */
export function complexityRouter({
  complexity,
}: { readonly complexity?: ComplexityClassifier } = {}) {
  return program({
    name: "r2rag-complexity",
    version: "1",
    input: answerInput,
    output: { isComplex: judgeComplexity.output.isComplex },
    predictors: judgePredictors(complexity),
    forward: async (given, call) => ({ isComplex: await judgeQuestion(given, call, complexity) }),
  });
}
