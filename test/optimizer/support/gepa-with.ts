import type {
  AcceptanceOptions,
  GepaOptions,
  Optimizer,
  ReflectionOptions,
  SearchOptions,
  StopOptions,
} from "espalier/optimizer";
import { gepa } from "espalier/optimizer";
import { runGepa } from "../../../src/optimizer/gepa/run-gepa.ts";
import { gepaSettings } from "../../../src/optimizer/gepa/settings/gepa-settings.ts";
import type { MergeProposal } from "../../conformance/reference/index.ts";
import { mergeStage } from "../../conformance/reference/index.ts";

/**
 * Options of gepa() without their groups, so that test tables can spread them; and merges, which it
 * does not ship.
 */
export type FlatGepaOptions = Pick<GepaOptions, "budget" | "seed" | "components"> &
  Omit<ReflectionOptions, "lm"> & {
    readonly reflectionLm?: ReflectionOptions["lm"] & object;
  } & Omit<SearchOptions, "scoreReuse"> & {
    readonly scoreReuse?: SearchOptions["scoreReuse"] & string;
  } & Omit<AcceptanceOptions, "minibatch" | "val"> & {
    readonly minibatchAcceptance?: AcceptanceOptions["minibatch"] & object;
    readonly valAcceptance?: AcceptanceOptions["val"] & object;
  } & Omit<StopOptions, "when"> & {
    readonly stop?: StopOptions["when"] & object;
    readonly merge?: MergeProposal;
  };

/** The place of each option in its group. */
const places: Readonly<Record<string, string>> = {
  reflectionLm: "reflection.lm",
  proposer: "reflection.proposer",
  checks: "reflection.checks",
  secondTries: "reflection.secondTries",
  parent: "search.parent",
  frontier: "search.frontier",
  minibatch: "search.minibatch",
  minibatchSize: "search.minibatchSize",
  valSample: "search.valSample",
  component: "search.component",
  proposals: "search.proposals",
  perfectScore: "search.perfectScore",
  scoreReuse: "search.scoreReuse",
  gateAbove: "acceptance.gateAbove",
  minibatchAcceptance: "acceptance.minibatch",
  selection: "acceptance.selection",
  valAcceptance: "acceptance.val",
  stop: "stop.when",
  maxIdleIterations: "stop.maxIdleIterations",
  maxReflectionFailures: "stop.maxReflectionFailures",
};

function grouped(flat: FlatGepaOptions): GepaOptions {
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(flat)) {
    const [group = name, own] = places[name]?.split(".") ?? [name];
    options[group] = own === undefined ? value : { ...(options[group] as object), [own]: value };
  }
  return options;
}

/** gepa() with ungrouped options. */
export function gepaWith({ merge, ...flat }: FlatGepaOptions): Optimizer {
  const options = grouped(flat);
  const optimizer = gepa(options);
  if (merge === undefined) return optimizer;
  const { name, settings } = merge;
  return {
    ...optimizer,
    settings: { ...optimizer.settings, merge: { name, ...settings } },
    doOptimize: (space, run) => runGepa(space, run, gepaSettings(options), mergeStage(merge)),
  };
}
