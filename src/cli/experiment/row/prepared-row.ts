import type { Example, SplitName } from "../../../contract/index.ts";
import type { Experiment, ExperimentRow } from "../../../experiment/files.ts";
import { checkFigures } from "../../../experiment/files.ts";
import type { Budget, Optimizer } from "../../../optimizer/index.ts";
import { autoSearch } from "../../../optimizer/index.ts";
import type { Parts } from "../../../servers/index.ts";
import type { Study } from "../../../study/index.ts";
import type { Drawn } from "../../eval/draw-examples.ts";
import { drawExamples } from "../../eval/draw-examples.ts";
import { variantOf } from "../../load/choose-study.ts";

/** What a row will run, built before anything is spent. */
export interface PreparedRow {
  readonly declared: ExperimentRow;
  /** The variant, with the row's candidate. */
  readonly study: Study;
  readonly examples: readonly Example[];
  readonly drawn: Drawn;
  /** Absent for a row that is scored as it is. */
  readonly optimizer?: Optimizer;
}

/** An experiment with the split and the sample that its rows are scored on. */
export interface ChosenExperiment extends Experiment {
  readonly split: SplitName;
}

/** Replaces split and sample by those of the command line. */
export function chosenExperiment(
  experiment: Experiment,
  { split }: { readonly split?: SplitName | undefined },
): ChosenExperiment {
  return { ...experiment, split: split ?? experiment.split ?? "test" };
}

/**
 * Builds a row's study of its own parts, so that the mocks it takes are known apart.
 *
 * @throws EspalierError `usage-invalid` for an unknown variant, an empty split or a sample that is
 *   no number, `experiment-invalid` for figures that the row cannot have, and what the study's
 *   file throws
 */
export async function preparedRow(
  experiment: ChosenExperiment,
  declared: ExperimentRow,
  {
    given,
    parts,
    seed,
  }: {
    readonly given: {
      readonly trainset?: string | undefined;
      readonly sample?: string | undefined;
    };
    readonly parts: Parts;
    readonly seed: number;
  },
): Promise<PreparedRow> {
  const { split, sample } = experiment;
  const { study: made, variant, candidate, optimize = false } = declared;
  const declaredStudy = typeof made === "function" ? await made(parts) : made;
  const chosen = await variantOf(declaredStudy, given.trainset ?? variant);
  checkFigures(experiment, declared, { study: chosen, declared: declaredStudy });
  const program = candidate === undefined ? chosen.program : chosen.program.with(candidate);
  const count = given.sample ?? (sample === undefined ? undefined : String(sample));
  const taken = drawExamples(chosen.trainset, { split, sample: count, seed });
  return {
    declared,
    study: { ...chosen, program },
    ...taken,
    ...(optimize !== false && { optimizer: chosen.optimizer ?? autoSearch() }),
  };
}

/** The budget of an optimizing row, before the experiment's caps. */
export function ownBudget({ declared: { optimize }, optimizer }: PreparedRow): Budget {
  return typeof optimize === "object" ? optimize.budget : (optimizer?.budget ?? {});
}
