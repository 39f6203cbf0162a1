import { z } from "zod";
import type { SetQuestion } from "../set-question.ts";
import { layout } from "./layout.ts";

const page = z.looseObject({ Title: z.string().optional(), Filename: z.string().optional() });

/**
 * TriviaQA (`wikipedia-dev.json`, `unfiltered-web-dev.json`), one question of `Data` a row. Its
 * texts are files of the evidence folder. Only the aliases count as answers: their normalized forms
 * are what metrics make of them.
 */
export const triviaqa = layout({
  name: "TriviaQA: `Question`, `QuestionId`, `Answer`",
  marks: ["Question", "QuestionId"],
  schema: z.looseObject({
    QuestionId: z.string(),
    Question: z.string(),
    // The sets for leaderboards lack it.
    Answer: z
      .looseObject({
        Value: z.string().optional(),
        Aliases: z.array(z.string()).optional(),
        NormalizedAliases: z.array(z.string()).optional(),
        HumanAnswers: z.array(z.string()).optional(),
      })
      .nullish(),
    EntityPages: z.array(page).nullish(),
    SearchResults: z.array(page).nullish(),
  }),
  questions: ({
    QuestionId: id,
    Question: question,
    Answer: answer,
    EntityPages: pages,
    SearchResults: results,
  }): SetQuestion[] => {
    const { Value: value, Aliases: aliases, NormalizedAliases: normalized } = answer ?? {};
    const named = [...(value === undefined ? [] : [value]), ...(aliases ?? normalized ?? [])];
    const filesOf = (folder: string, given: typeof pages) =>
      (given ?? []).flatMap(({ Title: title = "", Filename: file }) =>
        file === undefined ? [] : [{ title, file: `${folder}/${file}` }],
      );
    return [
      {
        id,
        question,
        answers: [...new Set([...named, ...(answer?.HumanAnswers ?? [])])],
        type: "trivia",
        paragraphs: [],
        support: [],
        steps: [],
        evidence: [...filesOf("wikipedia", pages), ...filesOf("web", results)],
      },
    ];
  },
});
