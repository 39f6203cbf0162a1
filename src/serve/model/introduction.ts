import { EspalierError } from "../../errors/index.ts";

/** What a model says of itself before anybody asks. */
export interface Introduction {
  readonly description?: string;
  readonly exampleQuestions?: readonly string[];
}

const longest = { description: 500, question: 200, questions: 3 } as const;

/** Its own words of a model; `undefined` if it has none. */
export function introductionOf({
  description,
  exampleQuestions,
}: Introduction): Introduction | undefined {
  if (description === undefined && exampleQuestions === undefined) return undefined;
  return {
    ...(description !== undefined && { description }),
    ...(exampleQuestions !== undefined && { exampleQuestions }),
  };
}

/** @throws EspalierError `serving-invalid` for what does not fit on the page */
export function checkIntroduction({
  id,
  description,
  exampleQuestions = [],
}: Introduction & { readonly id: string }): void {
  const refuse = (problem: string, expected: string, got: string): never => {
    throw new EspalierError({
      code: "serving-invalid",
      problem,
      where: `model "${id}"`,
      expected,
      got,
    });
  };
  if (description !== undefined && !fits(description, longest.description)) {
    refuse(
      "A description cannot be shown",
      `a text of 1 to ${longest.description} characters`,
      shown(description),
    );
  }
  if (exampleQuestions.length > longest.questions) {
    refuse(
      "There are too many example questions",
      `at most ${longest.questions}`,
      String(exampleQuestions.length),
    );
  }
  const wrong = exampleQuestions.find((question) => !fits(question, longest.question));
  if (wrong !== undefined) {
    refuse(
      "An example question cannot be asked",
      `a text of 1 to ${longest.question} characters`,
      shown(wrong),
    );
  }
}

function fits(text: string, most: number): boolean {
  return text.trim() !== "" && text.length <= most;
}

function shown(text: string): string {
  return text.trim() === "" ? "an empty text" : `${text.length} characters`;
}
