import type {
  AcceptanceOptions,
  GepaOptions,
  Optimizer,
  ReflectionOptions,
  SearchOptions,
  StopOptions,
} from "espalier/optimizer";
import { gepa } from "espalier/optimizer";

/** Options of gepa() without their groups, so that test tables can spread them. */
export type FlatGepaOptions = Pick<GepaOptions, "budget" | "seed" | "components"> &
  Omit<ReflectionOptions, "lm"> & {
    readonly reflectionLm?: ReflectionOptions["lm"] & object;
  } & Omit<SearchOptions, "scoreReuse"> & {
    readonly scoreReuse?: SearchOptions["scoreReuse"] & string;
  } & Omit<AcceptanceOptions, "minibatch" | "val"> & {
    readonly minibatchAcceptance?: AcceptanceOptions["minibatch"] & object;
    readonly valAcceptance?: AcceptanceOptions["val"] & object;
  } & Omit<StopOptions, "when" | "whenPerfect"> & {
    readonly stop?: StopOptions["when"] & object;
    readonly stopWhenPerfect?: boolean;
  };

/** The place of each option in its group. */
const places: Readonly<Record<string, string>> = {
  reflectionLm: "reflection.lm",
  sampling: "reflection.sampling",
  proposer: "reflection.proposer",
  checks: "reflection.checks",
  maxTextLength: "reflection.maxTextLength",
  secondTries: "reflection.secondTries",
  parent: "search.parent",
  frontier: "search.frontier",
  minibatch: "search.minibatch",
  minibatchSize: "search.minibatchSize",
  valSample: "search.valSample",
  component: "search.component",
  proposals: "search.proposals",
  merge: "search.merge",
  perfectScore: "search.perfectScore",
  scoreReuse: "search.scoreReuse",
  gateAbove: "acceptance.gateAbove",
  minibatchAcceptance: "acceptance.minibatch",
  selection: "acceptance.selection",
  valAcceptance: "acceptance.val",
  stop: "stop.when",
  stopWhenPerfect: "stop.whenPerfect",
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
export function gepaWith(flat: FlatGepaOptions): Optimizer {
  return gepa(grouped(flat));
}
