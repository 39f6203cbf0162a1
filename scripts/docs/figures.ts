/** A Markdown table. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | undefined)[])[],
): string {
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell ?? "").join(" | ")} |`)
    .join("\n");
}

/** A number with fixed digits, without the zero before the point. */
export function share(value: number, digits = 2): string {
  return value.toFixed(digits).replace(/^(-?)0/, "$1");
}

/** The same with its sign, three digits. */
export function signed(value: number): string {
  return `${value < 0 ? "-" : "+"}${share(Math.abs(value), 3)}`;
}

/** A whole number, grouped by thousands. */
export function count(value: number): string {
  return value.toLocaleString("en");
}
