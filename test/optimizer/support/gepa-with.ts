import type {
  AcceptanceOptions,
  GepaOptions,
  Optimizer,
  ReflectionOptions,
  SearchOptions,
  StopOptions,
} from "espalier/optimizer";
import { gepa } from "espalier/optimizer";
import { movedOptions } from "../../../src/optimizer/gepa/settings/gepa-options.ts";

/** Options of gepa() without their groups, so that test tables can spread them. */
export type FlatGepaOptions = Pick<GepaOptions, "budget" | "seed" | "components"> &
  Omit<ReflectionOptions, "lm"> & {
    readonly reflectionLm?: ReflectionOptions["lm"] & object;
  } & Omit<SearchOptions, "scoreReuse"> & {
    readonly inheritance?: SearchOptions["scoreReuse"] & string;
  } & Omit<AcceptanceOptions, "minibatch" | "val"> & {
    readonly minibatchAcceptance?: AcceptanceOptions["minibatch"] & object;
    readonly valAcceptance?: AcceptanceOptions["val"] & object;
  } & Omit<StopOptions, "when" | "whenPerfect"> & {
    readonly stop?: StopOptions["when"] & object;
    readonly stopWhenPerfect?: boolean;
  };

function grouped(flat: FlatGepaOptions): GepaOptions {
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(flat)) {
    const [group = name, own] = movedOptions.get(name)?.split(".") ?? [name];
    options[group] = own === undefined ? value : { ...(options[group] as object), [own]: value };
  }
  return options;
}

/** gepa() with ungrouped options. */
export function gepaWith(flat: FlatGepaOptions): Optimizer {
  return gepa(grouped(flat));
}
