/**
 * The forms of a rating, tried in this order, in either case. They follow the official script
 * (`judge_utils.py` of IBM's mt-rag-benchmark, commit cc5b1d4); its number, `\d*\.?\d+`, is
 * rewritten so that the expression never backtracks over digits.
 */
const forms: readonly RegExp[] = [
  /rating: \[\[(\d+)\]\]/iu,
  /rating: (\d+)/iu,
  /\[\[(\d+)\]\]/u,
  /\[(\d+)\]/u,
  /rating: \[\[(\d+(?:\.\d+)?|\.\d+)\]\]/iu,
  /overall rating: (\d+(?:\.\d+)?|\.\d+)/iu,
  /score: (\d+(?:\.\d+)?|\.\d+)\/10/iu,
  /score: (\d+(?:\.\d+)?|\.\d+)/iu,
  /\[rating\]\n(\d+)/iu,
  /rating: \[\[(\d+)\/10\]\]/iu,
  /rating: \[\[([-+]?(?:\d+(?:\.\d+)?|\.\d+))/iu,
  /(?<!\d(?=\d))([-+]?(?:\d+(?:\.\d+)?|\.\d+)) out of 10/iu,
];

const unclear = 0.5;

/**
 * The rating from 1 to 10 at the end of a judge's reply, divided by 10; in (0, 1]. Ignores what
 * follows "for example:" on its line. The last form that occurs anywhere decides, by its first
 * occurrence: "Rating: [[9]] and 3 out of 10" is 0.3, "[3] says so. Rating: [[8.5]]" is 0.85. 0.5
 * if there is no rating or it is out of range.
 */
export function ratingIn(reply: string | null): number {
  if (reply === null) return unclear;
  const text = reply.replaceAll(/for example:[^\n]*/giu, "");
  const found = forms.flatMap((form) => form.exec(text)?.[1] ?? []).at(-1);
  if (found === undefined) return unclear;
  const rating = Number(found) / 10;
  return rating <= 0 || rating > 1 ? unclear : rating;
}
