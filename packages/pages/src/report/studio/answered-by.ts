/** Which LM answered, and whether the figures are those of a mock. */
export function answeredBy({
  lm,
  isRehearsal,
}: {
  readonly lm?: string;
  readonly isRehearsal: boolean;
}): string {
  if (!isRehearsal) return lm ?? "";
  return lm === undefined || lm === "rehearsal" ? "rehearsal LM" : `${lm}, rehearsal`;
}
