import { componentId } from "../../../internal/index.ts";
import type { CandidateRecord, Selection } from "../../candidate/candidate-record.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import { onPart } from "../../contract/search-log.ts";
import type { StepEvaluation } from "../../evaluation/index.ts";
import { selectionOf } from "../../evaluation/index.ts";
import type { SearchSpace, TextComponent } from "../../task/search-space.ts";
import { sampleOf, sampleSize } from "../settings/val-sample.ts";
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
  const changeable = textComponents(whole, settings.components).map(componentId);
  // A candidate has the space's components in the same order.
  const places = whole.components.flatMap((component, index) =>
    changeable.includes(componentId(component)) ? [index] : [],
  );
  const evidence = startEvidence(whole, run, settings);
  const size = sampleSize(whole, settings, run.rolloutsExpected());
  const tools = {
    run,
    settings,
    changeable,
    componentsOf: ({ components }: CandidateRecord) =>
      places.map((index) => components[index] as TextComponent),
    evidence,
    ownLabels: ownLabels(whole),
    minibatch: minibatchChoice(settings.minibatch, evidence.lessons),
  };
  return onSample(tools, whole, size);
}

/** The same tools for a search that compares candidates on so many examples of val. */
export function onSample(
  tools: Omit<Tools, "space" | "selectionOf">,
  whole: SearchSpace,
  size: number,
): Tools {
  const val = sampleOf(whole.val, size, tools.run.seed);
  return {
    ...tools,
    space: { ...whole, val },
    selectionOf: (evaluation) => {
      const selection = selectionOf(evaluation);
      return selection && onPart(selection, val.length, whole.val.length);
    },
  };
}
