/** Sentences and items of lists, without spaces around them; a bullet or number belongs to none. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?;]["'”’)]?)\s+|(?<=[。！？])|\n+/u)
    .map((one) => one.replace(/^\s*(?:[-*•]|\d+[.)])\s+/u, "").trim())
    .filter((one) => one !== "");
}
