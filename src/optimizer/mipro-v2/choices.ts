import type { Candidate, Component, ParameterValue, RandomSource } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { componentId, contentHash, getOwn } from "../../internal/index.ts";
import type { FewShotSettings } from "../few-shot/few-shot-settings.ts";
import type { DemonstrationPool } from "../few-shot/bootstrap.ts";
import type { DemonstrationSet } from "../few-shot/draw-sets.ts";
import { drawnSet, fixedSets, setKey } from "../few-shot/draw-sets.ts";
import type { Setting, Tunable } from "../parameter-search/tunable.ts";
import { withSetting, settingOf, tunableParameters } from "../parameter-search/tunable.ts";
import type { SearchSpace, TextComponent } from "../task/search-space.ts";
import { isText, selectedComponents } from "../task/search-space.ts";

/** The values that a component may take in trials; its own comes first. */
export interface Choice {
  readonly options: readonly [Component, ...Component[]];
}

/** A choice with further options at its end; those that it has already are left out. */
export function extended({ options }: Choice, added: readonly Component[]): Choice {
  const known = new Set(options.map(valueKey));
  const fresh = added.filter((one) => !known.has(valueKey(one)));
  return { options: [...options, ...fresh] };
}

function valueKey(component: Component): string {
  const { value } = component;
  const isChosenFrom = component.kind === "demos" && component.nearest !== undefined;
  return contentHash(isChosenFrom ? [value, component.nearest] : value);
}

/** What a trial chooses. */
export interface Choices {
  /** One dimension for each choice and parameter. */
  readonly tunables: readonly Tunable[];
  /** Names of those that are parameters. */
  readonly parameters: ReadonlySet<string>;
  /** The program as it is. */
  readonly own: Setting;
  candidateOf(setting: Setting): Candidate;
}

/** The choices of trials, and the program's parameters that may change. */
export function choicesOf(
  space: SearchSpace,
  choices: readonly Choice[],
  parameters: readonly Tunable[],
): Choices {
  const ofTexts = choices.map(({ options }): Tunable => ({
    name: componentId(options[0]),
    parameter: {
      kind: "choice",
      options: options.map((_, index) => String(index)),
      default: "0",
    },
    value: "0",
  }));
  const byName = new Map(choices.map((choice) => [componentId(choice.options[0]), choice]));
  const tunables = [...ofTexts, ...parameters];
  return {
    tunables,
    parameters: new Set(parameters.map(({ name }) => name)),
    own: settingOf(tunables, ({ value }) => value),
    candidateOf: (setting) =>
      withSetting(space.components, setting).map((component): Component => {
        if (component.kind === "parameter") return component;
        const place = getOwn<ParameterValue>(setting, componentId(component));
        const options = byName.get(componentId(component))?.options;
        return options?.[Number(place ?? 0)] ?? component;
      }),
  };
}

export function keyOf(setting: Setting): string {
  return contentHash(setting);
}

type DemosComponent = Extract<Component, { readonly kind: "demos" }>;

/** Kinds of components that trials may vary. */
export const changeableKinds: readonly string[] = ["instruction", "demos", "parameter"];

/** What a search may change. */
export interface Dimensions {
  readonly texts: readonly TextComponent[];
  /** All of the program: their runs inform the writer of instructions. */
  readonly demos: readonly DemosComponent[];
  /** Those that trials choose from: none where prompts show no demonstrations. */
  readonly shown: readonly DemosComponent[];
  readonly parameters: readonly Tunable[];
  /** Choices that a trial makes. */
  readonly count: number;
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
      problem: `\`${space.name}\` has no instruction that miproV2() could change`,
      expected: "at least one instruction selected by `components`",
      got: selectors.join(", "),
      fix: "Search numbers and choices with `parameterSearch()`, demonstrations with `bootstrapFewShot()`.",
    });
  }
  const demos = space.components.filter((component) => component.kind === "demos");
  const selected = changeable.flatMap(({ kind, path }) => (kind === "parameter" ? [path] : []));
  const parameters = selected.length === 0 ? [] : tunableParameters(space, selected);
  const shown = changeable.filter((component) => component.kind === "demos");
  return {
    texts,
    demos,
    shown,
    parameters,
    count: texts.length + shown.length + parameters.length,
  };
}

/** How many demonstrations a set may have. */
export type SetSizes = Pick<FewShotSettings, "maxBootstrapped" | "maxLabelled">;

/** Draws of a set that a predictor knows already before it gets no more. */
const maxDuplicateDraws = 20;

/** Where no prompt shows any, a few runs still inform the writer of instructions. */
export function setSizesOf({ shown }: Pick<Dimensions, "shown">): SetSizes {
  return shown.length === 0
    ? { maxBootstrapped: 3, maxLabelled: 0 }
    : { maxBootstrapped: 4, maxLabelled: 4 };
}

/**
 * Sets of demonstrations of one predictor, all different: none; labels alone; the first runs of
 * train that pass; then random ones of random size, up to `most` sets in all. Sets that the pool
 * cannot fill are left out, so there may be only the empty one.
 */
export function demoSets(
  predictor: string,
  pool: DemonstrationPool,
  {
    sizes,
    most,
    random,
  }: {
    readonly sizes: SetSizes;
    readonly most: number;
    readonly random: RandomSource;
  },
): readonly DemonstrationSet[] {
  const own = {
    bootstrapped: pool.bootstrapped.filter((one) => one.predictor === predictor),
    labelled: pool.labelled.filter((one) => one.predictor === predictor),
  };
  const sets: DemonstrationSet[] = [[]];
  const known = new Set([setKey({ demonstrations: [] })]);
  const take = (set: DemonstrationSet): void => {
    const key = setKey({ demonstrations: set });
    if (sets.length >= most || known.has(key)) return;
    known.add(key);
    sets.push(set);
  };
  const [unshuffled = [], labels = []] = fixedSets(own, sizes);
  take(labels);
  take(unshuffled);
  for (let draw = 0; draw < maxDuplicateDraws * most && sets.length < most; draw++) {
    take(drawnSet(own, sizes, random));
  }
  return sets;
}
