import { z } from "zod";
import type { SetParagraph, SetQuestion } from "../set-question.ts";
import { layout } from "./layout.ts";

const span = z.looseObject({ start_token: z.int(), end_token: z.int() });
type Span = z.infer<typeof span>;

const common = {
  example_id: z.union([z.string(), z.number().transform(String)]),
  question_text: z.string(),
  document_title: z.string().optional(),
  document_url: z.string().optional(),
  long_answer_candidates: z.array(span.extend({ top_level: z.boolean() })),
  annotations: z.array(
    z.looseObject({
      long_answer: span,
      short_answers: z.array(span),
      yes_no_answer: z.string(),
    }),
  ),
};
interface NaturalQuestion extends z.infer<z.ZodObject<typeof common>> {}

/** Natural Questions, simplified (`simplified-nq-train.jsonl.gz`): the page as one text. */
export const naturalQuestions = layout({
  name: "Natural Questions: `question_text`, `document_text`, `annotations`",
  marks: ["question_text", "document_text"],
  schema: z.looseObject({ ...common, document_text: z.string() }),
  questions: ({ document_text: text, ...row }) => [questionOf(row, text.split(" "))],
});

/** Natural Questions as first published (`nq-dev-00.jsonl.gz`): the page as tokens. */
export const naturalQuestionsTokens = layout({
  name: "Natural Questions: `question_text`, `document_tokens`, `annotations`",
  marks: ["question_text", "document_tokens"],
  schema: z.looseObject({
    ...common,
    document_tokens: z.array(z.looseObject({ token: z.string() })),
  }),
  questions: ({ document_tokens: tokens, ...row }) => [
    questionOf(
      row,
      tokens.map(({ token }) => token),
    ),
  ],
});

/**
 * The short answers, or yes or no; a question with neither has no answers. The paragraphs are the
 * page's top-level candidates, the needed ones those that hold the long answers.
 */
function questionOf(row: NaturalQuestion, tokens: readonly string[]): SetQuestion {
  const title = titleOf(row);
  const textOf = ({ start_token: start, end_token: end }: Span): string =>
    tokens
      .slice(start, end)
      .filter((token) => !/^<[^<>]*>$/.test(token))
      .join(" ");
  const candidates = row.long_answer_candidates
    .filter((candidate) => candidate.top_level)
    .map((candidate) => ({ candidate, paragraph: { title, text: textOf(candidate) } }))
    .filter(({ paragraph }) => paragraph.text !== "");
  const holders = row.annotations.flatMap(({ long_answer: long }): readonly SetParagraph[] =>
    long.start_token < 0
      ? []
      : candidates
          .filter(
            ({ candidate }) =>
              candidate.start_token <= long.start_token && candidate.end_token >= long.end_token,
          )
          .map(({ paragraph }) => paragraph)
          .slice(0, 1),
  );
  const answers = row.annotations.flatMap(({ short_answers: short, yes_no_answer: yesNo }) =>
    yesNo === "YES" || yesNo === "NO" ? [yesNo.toLowerCase()] : short.map(textOf),
  );
  return {
    id: row.example_id,
    question: row.question_text,
    answers: [...new Set(answers)].filter((answer) => answer !== ""),
    type: "open",
    // Questions about one page share its paragraphs.
    ...(title !== "" && { cluster: title }),
    paragraphs: candidates.map(({ paragraph }) => paragraph),
    support: [...new Set(holders)],
    steps: [],
  };
}

function titleOf({ document_title: title, document_url: url = "" }: NaturalQuestion): string {
  if (title !== undefined) return title;
  const named = URL.canParse(url) ? new URL(url).searchParams.get("title") : null;
  return (named ?? "").replaceAll("_", " ");
}
