import type { Candidate, Component, ParameterValue, RandomSource } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { componentId, contentHash, getOwn } from "../../internal/index.ts";
import type { FewShotSettings } from "../few-shot/few-shot-settings.ts";
import type { DemonstrationPool } from "../few-shot/bootstrap.ts";
import { fixedSets, newSets } from "../few-shot/draw-sets.ts";
import type { Setting, Tunable } from "../parameter-search/tunable.ts";
import { withSetting, tunableParameters } from "../parameter-search/tunable.ts";
import type { SearchSpace, TextComponent } from "../task/search-space.ts";
import { isText, selectedComponents } from "../task/search-space.ts";

/** The values that a component may take in trials; its own comes first. */
export type Options = readonly [Component, ...Component[]];

/** With further options at the end; those that are there already are left out. */
export function extended(options: Options, added: readonly Component[]): Options {
  const known = new Set(options.map(valueKey));
  return [...options, ...added.filter((one) => !known.has(valueKey(one)))];
}

function valueKey(component: Component): string {
  const { value } = component;
  const isChosenFrom = component.kind === "demos" && component.nearest !== undefined;
  return contentHash(isChosenFrom ? [value, component.nearest] : value);
}

/** What a trial chooses: one of each component's options by its place, and values of parameters. */
export function tunablesOf(
  choices: readonly Options[],
  parameters: readonly Tunable[],
): readonly Tunable[] {
  const ofOptions = choices.map((options): Tunable => ({
    name: componentId(options[0]),
    parameter: { kind: "choice", options: options.map((_, index) => String(index)), default: "0" },
    value: "0",
  }));
  return [...ofOptions, ...parameters];
}

export function candidateOf(
  { components }: SearchSpace,
  choices: readonly Options[],
  setting: Setting,
): Candidate {
  return withSetting(components, setting).map((component): Component => {
    const options = choices.find(([own]) => isSamePlace(own, component));
    const place = getOwn<ParameterValue>(setting, componentId(component));
    return options?.[Number(place ?? 0)] ?? component;
  });
}

export function isSamePlace(one: Component, other: Component): boolean {
  return componentId(one) === componentId(other);
}

type DemosComponent = Extract<Component, { readonly kind: "demos" }>;

/** Kinds of components that trials may vary. */
export const changeableKinds: readonly string[] = ["instruction", "demos", "parameter"];

/** What a search may change. */
export interface Dimensions {
  readonly texts: readonly TextComponent[];
  /** None where prompts show no demonstrations; runs inform the writer of instructions anyway. */
  readonly shown: readonly DemosComponent[];
  readonly parameters: readonly Tunable[];
}

/** Throws `component-unknown` for a space without instructions, and for unknown components. */
export function dimensionsOf(space: SearchSpace, selectors: readonly string[]): Dimensions {
  const names = Object.keys(space.parameters ?? {});
  const changeable = selectedComponents(
    space.components.filter(
      ({ kind, path }) =>
        changeableKinds.includes(kind) && (kind !== "parameter" || names.includes(path)),
    ),
    selectors,
    { owner: "miproV2()", program: space.name, optional: changeableKinds },
  );
  const texts = changeable.filter(isText);
  if (texts.length === 0) {
    throw new EspalierError({
      code: "component-unknown",
      problem: `\`${space.name}\` has no instruction that miproV2() can change`,
      expected: "at least one instruction selected by `components`",
      got: selectors.join(", "),
      fix: "Search numbers and choices with `parameterSearch()`, demonstrations with `bootstrapFewShot()`.",
    });
  }
  const selected = changeable.flatMap(({ kind, path }) => (kind === "parameter" ? [path] : []));
  return {
    texts,
    shown: changeable.filter((component) => component.kind === "demos"),
    parameters: selected.length === 0 ? [] : tunableParameters(space, selected),
  };
}

/** How many demonstrations a set may have. */
export const setSizes: Pick<FewShotSettings, "maxBootstrapped" | "maxLabelled"> = {
  maxBootstrapped: 4,
  maxLabelled: 4,
};

/**
 * Sets of demonstrations of one predictor, all different: none; the first runs of train that pass;
 * labels alone; then random ones of random size, up to `most` sets in all. Sets that the pool
 * cannot fill are left out, so there may be only the empty one.
 */
export function demoSets(
  { kind, path }: DemosComponent,
  pool: DemonstrationPool,
  { most, random }: { readonly most: number; readonly random: RandomSource },
): readonly Component[] {
  const own = {
    bootstrapped: pool.bootstrapped.filter(({ predictor }) => predictor === path),
    labelled: pool.labelled.filter(({ predictor }) => predictor === path),
  };
  const first = fixedSets(own, setSizes);
  const made = newSets(own, setSizes, { first, known: [], most: most - 1, random });
  return [{ demonstrations: [] }, ...made].map(({ demonstrations }) => ({
    kind,
    path,
    value: demonstrations.map(({ demonstration }) => demonstration),
  }));
}
