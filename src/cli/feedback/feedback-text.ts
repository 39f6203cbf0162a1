import type { Preference } from "../../serve/index.ts";

/** One line for each version, with the share that is liked and how sure that is. */
export function feedbackText(versions: readonly Preference[]): string {
  if (versions.length === 0) return "Nothing is kept.";
  const names = versions.map(({ model, version }) => `${model}@${version}`);
  const width = Math.max(...names.map((name) => name.length));
  return versions
    .map(({ completions, up, down, preference }, index) =>
      [
        (names[index] ?? "").padEnd(width),
        `${completions} answers, ${up} up, ${down} down`,
        ...(preference === null
          ? []
          : [
              `${percent(preference.ratio)} liked (95 %: ${percent(preference.low)} to ${percent(preference.high)})`,
            ]),
      ].join("  "),
    )
    .join("\n");
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
