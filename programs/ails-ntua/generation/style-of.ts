import type { Text } from "espalier";
import type { GenerationCall } from "./modules.ts";
import { questionStyles, questionType } from "./question-type.ts";

/** Style and length of the answer, by the type of its question (appendix C.5). */
export function styleOf(
  question: string,
  call: GenerationCall,
): { readonly style: Text<"style">; readonly targetWords: number } {
  const { parameters } = call;
  const type = questionType(question, {
    keywordWords: parameters.keywordQuestionWords,
    summaries: parameters.summaries,
  });
  call.note("questionType", type);
  const furtherWords = {
    keyword: parameters.keywordWords,
    how_to: parameters.howToWords,
    explanation: parameters.explanationWords,
    comparative: parameters.comparativeWords,
    summarization: parameters.summarizationWords,
    factoid: parameters.factoidWords,
    default: parameters.defaultWords,
  };
  return {
    style: questionStyles[type],
    targetWords: parameters.targetWords + furtherWords[type],
  };
}
