/** A difference with its sign, `+` for none. */
export function signedText(difference: number, digits = 4): string {
  return `${difference < 0 ? "-" : "+"}${Math.abs(difference).toFixed(digits)}`;
}
