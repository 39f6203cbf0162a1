import {
  bestOrParetoParent,
  defaultChecks,
  jointComponents,
  neutralByTraining,
  paretoParent,
  roundRobin,
  targetedLessons,
} from "espalier/optimizer";
import {
  anyOnVal,
  bestParent,
  commonAncestorMerge,
  epochMinibatches,
  improvementOnVal,
} from "../../../conformance/reference/index.ts";
import type { FlatGepaOptions } from "../../../optimizer/support/gepa-with.ts";
import { plainGepa } from "../../support/plain-gepa.ts";

/** Options of searches that differ from the defaults in one part, by what that part is. */
export const removed: Readonly<Record<string, FlatGepaOptions>> = {
  "no score is reused": { scoreReuse: "none" },
  "lessons: minibatches of epochs": { minibatch: epochMinibatches() },
  "gate: always": { gateAbove: 0 },
  "gate: never": { gateAbove: null },
  "no second try": { secondTries: 0 },
  "on val: improvement": { valAcceptance: improvementOnVal() },
  "on val: any": { valAcceptance: anyOnVal() },
  "one component in turn": inTurn(),
  "val in full": { valSample: null },
  "parent: pareto": { parent: paretoParent() },
  "parent: best": { parent: bestParent() },
  "no checks": { checks: [] },
  merges: { merge: commonAncestorMerge() },
};

/** Options of searches that differ from plain GEPA in one part of the defaults, by that part. */
export const added: Readonly<Record<string, FlatGepaOptions>> = {
  "reused scores": plainAnd({ scoreReuse: "trace" }),
  "targeted lessons": plainAnd({ minibatch: targetedLessons() }),
  "no gate": plainAnd({ gateAbove: null }),
  "checks, a second try": plainAnd({ checks: defaultChecks(), secondTries: 1 }),
  "on val: improvement": plainAnd({ valAcceptance: improvementOnVal() }),
  "on val: neutral by training": plainAnd({ valAcceptance: neutralByTraining() }),
  "joint components": plainAnd({ component: jointComponents() }),
  "a sample of val": plainAnd({ valSample: 16 }),
  "parent: best or pareto": plainAnd({ parent: bestOrParetoParent() }),
  "parent: best": plainAnd({ parent: bestParent() }),
  merges: plainAnd({ merge: commonAncestorMerge() }),
};

function inTurn(): FlatGepaOptions {
  const component = roundRobin();
  return { component, minibatch: targetedLessons({ components: component }) };
}

function plainAnd(options: FlatGepaOptions): FlatGepaOptions {
  return { ...plainGepa(), ...options };
}
