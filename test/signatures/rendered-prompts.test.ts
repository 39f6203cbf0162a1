import { describe, expect, it } from "vitest";
import type { LmMessage } from "espalier";
import { predict, reason, textOfContent } from "espalier";
import {
  askClarification,
  buildNotes,
  classifyAnswerability,
  generateQueries,
  writeCompleteAnswer,
  writePartialAnswer,
} from "../../signatures/index.ts";

const question = "And when was it finished?";
const history = [
  { speaker: "user", text: "Does Ostrel have a bridge?" },
  { speaker: "assistant", text: "Yes, an iron footbridge over the river." },
] as const;
const passages = [
  { id: "p1", title: "Ostrel – buildings", text: "The footbridge was finished in 1902." },
  { id: "p2", text: "Winters in Ostrel are long and wet." },
] as const;
const notes = "=== Hop 1 ===\nQueries used: bridge of Ostrel\nKey findings: it is of iron";

/** As the notes-guided program runs them. */
const prompts: Readonly<Record<string, readonly LmMessage[]>> = {
  "generate-queries": reason(generateQueries).render({ question, history, notes }),
  "build-notes": reason(buildNotes).render({
    question,
    queries: ["footbridge Ostrel finished", "year of the bridge"],
    passages,
    earlierNotes: notes,
  }),
  "classify-answerability": predict(classifyAnswerability).render({ question, passages }),
  "write-complete-answer": predict(writeCompleteAnswer).render({ question, history, passages }),
  "write-partial-answer": predict(writePartialAnswer).render({ question, history, passages }),
  "ask-clarification": predict(askClarification).render({ question, history }),
};

// A change of a golden file is a change of behaviour: review it as one.
describe("rendered prompts of the signatures", () => {
  it.each(Object.keys(prompts))("of %s are as reviewed", async (name) => {
    const shown = (prompts[name] ?? []).map(
      ({ role, content }) => `===== ${role}\n${textOfContent(content)}\n`,
    );
    await expect(shown.join("\n")).toMatchFileSnapshot(`golden/${name}.txt`);
  });
});

// What the paper's initial prompt holds (NLP-CEIA-UFG, appendix A.1): where optimization starts.
describe("the seed instruction of the query generator", () => {
  it.each<[string, readonly RegExp[]]>([
    ["the four collections", [/encyclopedia/, /finance/, /public agencies/, /cloud/]],
    ["the size of passages and their overlap", [/512 tokens/, /overlap of 100/]],
    ["that search is hybrid", [/hybrid/, /BM25/, /dense/]],
    ["that a query holds exact terms and intent", [/exact terms/, /intent/]],
    ["three different queries", [/three queries that differ/]],
    ["two phrases for the reranker", [/the rerank query .*this round/, /final rerank query .*all/]],
    [
      "the ten types of question",
      [
        /ten kinds/,
        /factoid/,
        /how-to/,
        /explanation/,
        /comparative/,
        /composite/,
        /summarization/,
        /keyword/,
        /opinion/,
        /troubleshooting/,
        /ask nothing/,
      ],
    ],
    ["the types of turn", [/follow one up/, /clarification/]],
    ["degrees of answerability", [/in full/, /in part/, /not at all/, /too little/]],
    [
      "the order in which notes are used",
      [/1\..*suggestions[^]*2\..*missing[^]*3\. Key findings.*do not repeat/],
    ],
  ])("names %s", (_, points) => {
    for (const point of points) expect(generateQueries.instruction).toMatch(point);
  });
});
