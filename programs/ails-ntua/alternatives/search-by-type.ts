import type { Text } from "espalier";
import { choice, predict, program, rankedPassages } from "espalier";
import type { questionKinds } from "../../../signatures/index.ts";
import { classifyQuestion, rewriteForType } from "../../../signatures/index.ts";
import { withFallback } from "../../support/with-fallback.ts";
import { questionType } from "../generation/question-type.ts";
import { parsedOnce } from "../parsed-once.ts";
import { rankedSearch, rankedSearchParameters } from "../ranked-search.ts";
import type { AilsRetrievalParts } from "../retrieval/index.ts";
import { retrievalInput } from "../retrieval/index.ts";
import { recent } from "../retrieval/rewriters.ts";

/**
 * Rewriting by type of question (AILS-NTUA, SemEval-2026 Task 8, table 16), which they tried and
 * left, since its gains varied by collection. The paper says no more of it; decided here: `typedBy`
 * takes the type from the rules that set the length of their answers (appendix C.5), from a model,
 * or from nothing, which gives every question the same advice. As with their rewriters, the first
 * question of a conversation stays as it is, and so does one whose rewrite cannot be read.
 */
export function searchByType({
  sparse,
  reranker,
  sampling,
}: Pick<AilsRetrievalParts, "sparse" | "reranker" | "sampling">) {
  return program({
    name: "search-by-type",
    version: "1",
    input: retrievalInput,
    output: { passages: rankedPassages() },
    predictors: {
      classifyQuestion: predict(classifyQuestion, parsedOnce(50, sampling)),
      rewriteForType: predict(rewriteForType, parsedOnce(400, sampling)),
    },
    parameters: { typedBy: choice(["rules", "model", "nothing"]), ...rankedSearchParameters },
    forward: async (given, call) => {
      const { typedBy, k } = call.parameters;
      const query = given.history.length === 0 ? "" : await rewritten();
      const { corpus, question } = given;
      const asked = query.trim() === "" ? String(question) : query;
      const found = await rankedSearch(asked, { call, corpus, sparse, reranker });
      return { passages: found.slice(0, k) };

      async function rewritten(): Promise<Text<"query">> {
        const advice = queryAdvice[await kind()];
        return withFallback<Text<"query">>(
          async () =>
            (await call.predictors.rewriteForType({ ...recent(given), advice })).rewritten,
          { call, key: "rewrite-for-type-failed", fallback: "" },
        );
      }

      async function kind(): Promise<QuestionKind> {
        if (typedBy === "nothing") return "default";
        if (typedBy === "rules") return questionType(given.question);
        return withFallback<QuestionKind>(
          async () => (await call.predictors.classifyQuestion(recent(given))).kind,
          { call, key: "classify-question-failed", fallback: "default" },
        );
      }
    },
  });
}

type QuestionKind = (typeof questionKinds)[number];

/** What a query for each kind of question needs. */
const queryAdvice: Readonly<Record<QuestionKind, string>> = {
  keyword: "Keywords: keep them all, and add the subject of the conversation that they belong to.",
  how_to: "How-to: name the task, and the tool or service that it is done with.",
  explanation: "Explanation: name the matter, and the cause, reason or meaning that is asked for.",
  comparative: "Comparison: name all things that are compared, and by what.",
  summarization: "Summary: name the subject broadly, and no detail of it.",
  factoid: "Fact: name the thing or person in full, and the one property that is asked for.",
  opinion: "Opinion: name the choice to make, and what advice or experience is asked for.",
  troubleshooting: "Troubleshooting: name what fails, its symptom, and any message word for word.",
  composite: "Several questions at once: name what each of them asks for.",
  default: "Question: name the subject, and what is asked about it.",
};
