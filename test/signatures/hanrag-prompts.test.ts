import { describe, expect, it } from "vitest";
import type { LmMessage } from "espalier";
import { predict, reason, textOfContent } from "espalier";
import {
  answerDirectly,
  answerFromPassages,
  answerFromSteps,
  askAboutEntity,
  combineQuestions,
  decomposeQuestion,
  judgeEffort,
  judgeEnding,
  judgeRelevance,
  refineQuestion,
  routeQuestion,
  writeNextThought,
} from "../../signatures/index.ts";

const question = "In which year was the footbridge of the town where Ada Holm was born finished?";
const thought = "Question 1: Where was Ada Holm born?\nAnswer 1: Ostrel";
const passages = [
  { id: "p1", title: "Ostrel – buildings", text: "The footbridge was finished in 1902." },
  { id: "p2", text: "Winters in Ostrel are long and wet." },
] as const;
const passage = "Ostrel – buildings\nThe footbridge was finished in 1902.";

/** As HANRAG and the builder of its compound benchmark run them. */
const prompts: Readonly<Record<string, readonly LmMessage[]>> = {
  "route-question": predict(routeQuestion).render({ question }),
  "decompose-question": reason(decomposeQuestion).render({ question }),
  "refine-question": predict(refineQuestion).render({ question, thought }),
  "judge-relevance": predict(judgeRelevance).render({ question, passage }),
  "judge-ending": predict(judgeEnding).render({ question, thought }),
  "answer-from-passages": predict(answerFromPassages).render({ question, passages }),
  "answer-from-steps": predict(answerFromSteps).render({ question, thought }),
  "answer-directly": predict(answerDirectly).render({ question }),
  "write-next-thought": predict(writeNextThought).render({
    question,
    passages,
    thought: "Ada Holm was born in Ostrel.",
  }),
  "judge-effort": predict(judgeEffort).render({ question }),
  "ask-about-entity": predict(askAboutEntity).render({ entity: "Ostrel", document: passage }),
  "combine-questions": predict(combineQuestions).render({
    questions: ["When was Ostrel founded?", "Who built the bridge of Ostrel?"],
  }),
};

// A change of a golden file is a change of behaviour: review it as one.
describe("rendered prompts of HANRAG's signatures", () => {
  it.each(Object.keys(prompts))("of %s are as reviewed", async (name) => {
    const shown = (prompts[name] ?? []).map(
      ({ role, content }) => `===== ${role}\n${textOfContent(content)}\n`,
    );
    await expect(shown.join("\n")).toMatchFileSnapshot(`golden/${name}.txt`);
  });
});

// What the paper's prompts say of each task (appendix G): where optimization starts.
describe("the seed instructions", () => {
  it("tell the router the four kinds of question", () => {
    for (const kind of ["straightforward", "single-step", "compound", "complex"]) {
      expect(routeQuestion.instruction).toContain(`\n${kind}: `);
    }
  });

  it("let a question that is one already stay as it is", () => {
    expect(decomposeQuestion.instruction).toMatch(/one thing only is returned as it is/);
    expect(refineQuestion.instruction).toMatch(/one search can answer .* return it unchanged/);
  });

  it("ask for parts of a compound answer joined as its golds are", () => {
    expect(answerFromSteps.instruction).toContain('" && "');
  });
});
