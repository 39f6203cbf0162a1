/** A long result must not fill the context. In UTF-16 code units. */
const longestResult = 12_000;

/** The result of a tool as the model sees it. */
export function shortened(result: string): string {
  if (result.length <= longestResult) return result.trim() === "" ? "(empty)" : result;
  const kept = result.slice(0, longestResult).toWellFormed();
  return `${kept}\n(${result.length - longestResult} further characters are left out)`;
}
