/** How a prompt wants a rating written, and its scale. */
export interface RatingForm {
  readonly least: number;
  readonly most: number;
  /** Formats the rating as the prompt asks. */
  readonly write: (rating: number) => string;
}

/**
 * Reads "Rating: [[number]]", "Score: [[5]]" and the like from a prompt, with the scale that it
 * names ("from 1 to 5"; by default 1 to 10). `undefined` if the prompt asks for no rating in
 * brackets.
 */
export function ratingForm(prompt: string): RatingForm | undefined {
  const form =
    /(?:\b([A-Z][a-z]+(?: [a-z]+)?: ?))?\[\[(?:rating|number|score|value|n|x|\d+(?:\.\d+)?)\]\]/i.exec(
      prompt,
    );
  if (form === null) return undefined;
  const scale =
    /\b(?:from|of|between|scale)\b[^.\d\n]{0,20}(\d+)\b(?: \([^)]*\))?\s*(?:to|-|–|and)\s*(\d+)\b/i.exec(
      prompt,
    );
  const lead = form[1] ?? "";
  return {
    least: Number(scale?.[1] ?? 1),
    most: Number(scale?.[2] ?? 10),
    write: (rating) => `${lead}[[${rating}]]`,
  };
}

/** Converts a degree in [0, 1] to a whole number on the scale of a form. */
export function ratingOn({ least, most, write }: RatingForm, degree: number): string {
  return write(Math.round(least + degree * (most - least)));
}
