import type { CandidateRecord, Selection } from "../../candidate/candidate-record.ts";
import { selectionOf } from "../../evaluation/index.ts";
import type { SearchState } from "./search-state.ts";
import type { Tools } from "./tools.ts";

/**
 * A candidate's selection from all that is known of it by now: on all of val or, if something is
 * missing there, on the panel. What happens to be known of the rest stands for itself alone, and
 * would count as much as what stands for many.
 */
export function knownSelection(
  { components }: CandidateRecord,
  { panel }: SearchState,
  { run, space, evidence }: Tools,
): Selection | null {
  const known = evidence.known(components, "val");
  const ids = evidence.missingOnVal(components) === 0 ? space.val : panel.exampleIds;
  return selectionOf(
    run.summarize(
      "val",
      ids.flatMap((id) => known(id) ?? []),
    ),
  );
}
