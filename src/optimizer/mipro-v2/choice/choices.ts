import type { Candidate, Component, ParameterValue } from "../../../contract/index.ts";
import { componentId, contentHash, getOwn } from "../../../internal/index.ts";
import type { Setting } from "../../parameter-search/setting.ts";
import { withSetting } from "../../parameter-search/setting.ts";
import type { Tunable } from "../../parameter-search/tunable.ts";
import { settingOf, tunableParameters } from "../../parameter-search/tunable.ts";
import type { SearchSpace } from "../../task/search-space.ts";

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

/** The choices of trials, and the program's parameters if they may change. */
export function choicesOf(
  space: SearchSpace,
  choices: readonly Choice[],
  { hasParameters }: { readonly hasParameters: boolean },
): Choices {
  const ofTexts = choices.map(({ options }): Tunable => ({
    name: componentId(options[0]),
    parameter: {
      kind: "choice",
      options: options.map((_, place) => String(place)),
      default: "0",
    },
    value: "0",
  }));
  const byName = new Map(choices.map((choice) => [componentId(choice.options[0]), choice]));
  const parameters = hasParameters ? parametersOf(space) : [];
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

/** The program's numbers and choices; none if it has none. */
export function parametersOf(space: SearchSpace): readonly Tunable[] {
  const names = Object.keys(space.parameters ?? {});
  const isSearched = space.components.some(
    ({ kind, path }) => kind === "parameter" && names.includes(path),
  );
  return isSearched ? tunableParameters(space, undefined) : [];
}

export function keyOf(setting: Setting): string {
  return contentHash(setting);
}
