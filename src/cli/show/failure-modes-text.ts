import type { RecordedRun } from "../../optimizer/index.ts";

/** The failure modes that a judge LM named, with how many of the failures shown each holds. */
export function failureModesText(namings: RecordedRun["failureModes"]): readonly string[] {
  return namings.flatMap(({ iteration, candidate, failures, modes, detail }) => [
    `failure modes of candidate ${candidate}, named in iteration ${iteration}${detail === undefined ? "" : `: none. ${detail}`}`,
    ...modes.map(
      ({ name, description, exampleIds }) =>
        `  ${exampleIds.length} of ${failures}  ${name}: ${description}`,
    ),
  ]);
}
