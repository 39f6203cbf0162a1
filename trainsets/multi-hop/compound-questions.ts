import type { Trainset } from "espalier";
import { readJsonl, trainset } from "espalier/trainset";
import { z } from "zod";
import type { RoutedQuestionInput, RoutedQuestionLabels } from "../routed-question.ts";
import { paragraphId } from "./paragraph-key.ts";

const paragraph = z.object({ title: z.string(), text: z.string() });
const compoundRow = z
  .looseObject({
    id: z.string(),
    question: z.string(),
    sub_questions: z.array(z.object({ question: z.string(), answer: z.string() })).min(2),
    answer: z.string(),
    support: z.tuple([paragraph]),
  })
  .refine(
    ({ answer, sub_questions: parts }) => answer === parts.map((part) => part.answer).join(" && "),
    { message: "the answers of `sub_questions`, joined by ` && `", path: ["answer"] },
  );

/**
 * Questions about two or three attributes of one entity, built from triples of 2WikiMultihopQA
 * (Apache-2.0), as `compound_from_2wiki_triples.jsonl`: a small version of HANRAG's compound
 * benchmark. All are in the test split, since they are too few to learn from.
 *
 * @param ids Id in 2WikiMultihopQA's collection of each paragraph; see `paragraphKey`.
 * @throws EspalierError `file-missing`; `file-malformed` with the line; `passage-unknown` if a
 * paragraph is not in the collection
 */
export async function compoundQuestions(
  path: string,
  ids: ReadonlyMap<string, string>,
): Promise<Trainset<RoutedQuestionInput, RoutedQuestionLabels>> {
  const rows = await readJsonl(path, compoundRow);
  return trainset({
    name: "2wikimultihopqa-compound",
    version: "1",
    licence: "Apache-2.0",
    source: "built from triples of 2WikiMultihopQA",
    splits: {
      test: rows.map(({ id, question, sub_questions: parts, answer, support }) => {
        const passageId = paragraphId(support[0], ids, id);
        return {
          id,
          input: { question },
          labels: {
            answers: [answer],
            relevant: { [passageId]: 1 },
            route: "compound",
            questionType: "attributes",
            decomposition: parts.map((part) => ({ ...part, passageId })),
          },
        };
      }),
    },
  });
}
