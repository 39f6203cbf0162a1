import { z } from "zod";
import { EspalierError } from "../../errors/index.ts";

/** What a model says of itself before anybody asks. */
export interface Introduction {
  readonly description?: string;
  readonly exampleQuestions?: readonly string[];
}

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

const textOf = (longest: number) =>
  z
    .string()
    .max(longest, { error: ({ input }) => `${(input as string).length} characters` })
    .refine((text) => text.trim() !== "", "an empty text");
const shownOnPage = z.object({
  description: textOf(500).optional(),
  exampleQuestions: z.array(textOf(200)).max(3, "too many").optional(),
});

/** @throws EspalierError `serving-invalid` for what does not fit on the page */
export function checkIntroduction({ id, ...said }: Introduction & { readonly id: string }): void {
  const [issue] = shownOnPage.safeParse(said).error?.issues ?? [];
  if (issue === undefined) return;
  throw new EspalierError({
    code: "serving-invalid",
    problem: "A model's introduction cannot be shown",
    where: `model "${id}", \`${issue.path.join(".")}\``,
    expected:
      "a description of 1 to 500 characters, and at most 3 questions of 1 to 200 characters",
    got: issue.message,
  });
}
