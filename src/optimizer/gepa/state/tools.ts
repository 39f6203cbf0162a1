import { componentId } from "../../../internal/index.ts";
import type { Selection } from "../../candidate/candidate-record.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { StepEvaluation } from "../../evaluation/index.ts";
import { selectionOf } from "../../evaluation/index.ts";
import type { SearchSpace, TextComponent } from "../../task/search-space.ts";
import { sampleSize, withValSample } from "../val-sample.ts";
import type { OwnLabels } from "../../proposal/check/proposal-check.ts";
import { ownLabels } from "../../proposal/check/proposal-check.ts";
import { minibatchChoice } from "../strategy/targeted-lessons.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { startEvidence } from "../evidence/evidence.ts";
import type { GepaSettings } from "../settings/gepa-settings.ts";
import type { MinibatchChoice } from "../strategy/strategy.ts";
import { textComponents } from "../../task/search-space.ts";

/** What every stage of a run works with, besides the state. */
export interface Tools {
  /** Its val is the sample that candidates are compared on. */
  readonly space: SearchSpace;
  readonly run: OptimizerRun;
  readonly settings: GepaSettings;
  /** Ids of the components that may change, in the space's order. */
  readonly changeable: readonly string[];
  /** These components with a candidate's values. */
  readonly componentsOf: (candidate: CandidateRecord) => readonly TextComponent[];
  readonly evidence: Evidence;
  /** Results on the sample; `null` if faults left too little of it to judge. */
  readonly selectionOf: (evaluation: StepEvaluation) => Selection | null;
  readonly ownLabels: OwnLabels;
  readonly minibatch: MinibatchChoice;
}

export function startTools(whole: SearchSpace, run: OptimizerRun, settings: GepaSettings): Tools {
  const { valSample = sampleSize(whole.val.length, run.rolloutsExpected()) } = settings;
  // Part of val says nothing of an objective that is not a mean over examples.
  const size = run.summarize("val", []).isMean ? valSample : null;
  const space = withValSample(whole, size ?? whole.val.length, () =>
    run.random("gepa/val-sample", 0),
  );
  const seen = space === whole ? {} : { seen: space.val.length };
  const changeable = textComponents(space, settings.components).map(componentId);
  // A candidate has the space's components in the same order.
  const places = space.components.flatMap((component, index) =>
    changeable.includes(componentId(component)) ? [index] : [],
  );
  const evidence = startEvidence(space, run, {
    mode: settings.scoreReuse,
    perfectScore: settings.perfectScore,
    sharesSplits: whole.train === whole.val,
  });
  return {
    space,
    run,
    settings,
    changeable,
    componentsOf: ({ components }) => places.map((index) => components[index] as TextComponent),
    evidence,
    selectionOf: (evaluation) => {
      const selection = selectionOf(evaluation);
      return selection && { ...selection, ...seen };
    },
    ownLabels: ownLabels(space),
    minibatch: minibatchChoice(settings.minibatch, evidence.lessons),
  };
}
