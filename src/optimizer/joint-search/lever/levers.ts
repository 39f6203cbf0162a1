import type { Candidate, Component, ParameterValue } from "../../../contract/index.ts";
import { getOwn, withImageStandIns } from "../../../internal/index.ts";
import { labelledDemonstrations } from "../../demonstrations/index.ts";
import type { DemonstrationLever } from "./demonstration-lever.ts";
import { demonstrationLever } from "./demonstration-lever.ts";
import type { Configuration, Lever } from "./lever.ts";
import { parameterLever } from "./parameter-lever.ts";
import type { TextLever } from "./text-lever.ts";
import { textLever, textSimilarity } from "./text-lever.ts";
import type { ScoreModel } from "../model/score-model.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import { isText } from "../../task/search-space.ts";

/** All that the search may change, by kind. */
export interface Levers {
  /** In the order of configurations. */
  readonly all: readonly Lever[];
  readonly texts: readonly TextLever[];
  readonly demonstrations: readonly DemonstrationLever[];
  /** The program as it is. */
  readonly initial: Configuration;
  /** Each lever's best setting: by the model, effects of levers add up. */
  best(effects: Float64Array): Configuration;
  /** The same without changes to parameters that do not matter in it. */
  settled(configuration: Configuration): Configuration;
  candidateOf(configuration: Configuration): Candidate;
}

/** @param changeable places of the components that may change */
export function leversOf(
  space: SearchSpace,
  model: ScoreModel,
  {
    changeable,
    scale,
    learnsShape,
    mostDemonstrations: most,
    demonstrationScore: threshold,
  }: {
    readonly changeable: readonly number[];
    readonly scale: number;
    /** Whether runs are to show the curves of numbers beyond parabolas. */
    readonly learnsShape: boolean;
    readonly mostDemonstrations: number;
    /** Lowest score of a run that gives demonstrations. */
    readonly demonstrationScore: number;
  },
): Levers {
  const inputs = [...space.train, ...space.val].map(
    (id) => [id, JSON.stringify(withImageStandIns(space.inputOf?.(id))) ?? ""] as const,
  );
  const similarity = textSimilarity(new Map(inputs));
  const { clusterOf, inputOf } = space;
  const all: Lever[] = [];
  const texts: TextLever[] = [];
  const demonstrations: DemonstrationLever[] = [];
  for (const place of changeable) {
    const component = space.components[place];
    if (component === undefined) continue;
    if (isText(component)) {
      const lever = textLever(component, model, scale);
      texts.push(lever);
      all.push(lever);
    } else if (component.kind === "demos") {
      const lever = demonstrationLever(component, model, {
        similarity,
        scale,
        most,
        rules: { threshold, clusterOf, inputOf },
        labelled: (rollout) =>
          rollout.lesson === undefined
            ? []
            : labelledDemonstrations({ ...space, train: [rollout.exampleId] }, [rollout]),
      });
      demonstrations.push(lever);
      all.push(lever);
    } else if (component.kind === "parameter") {
      const parameter = getOwn(space.parameters ?? {}, component.path);
      if (parameter === undefined) throw new RangeError(`No range for ${component.path}.`);
      all.push(parameterLever(component, parameter, model, { scale, learnsShape }));
    }
  }
  return {
    all,
    texts,
    demonstrations,
    initial: all.map(({ initial }) => initial),
    best: (effects) =>
      settled(
        all.map((lever) => lever.best(effects, space.val)),
        all,
        space,
      ),
    settled: (configuration) => settled(configuration, all, space),
    candidateOf: (configuration) => {
      const components = [...space.components];
      for (const [at, { component }] of configuration.entries()) {
        components[changeable[at] as number] = component;
      }
      return components;
    },
  };
}

/**
 * A configuration without changes to parameters that do not matter in it (see
 * `ParameterCondition`): these stay as the program has them.
 *
 * @param levers in the configuration's order, which is that of the space's components
 */
export function settled(
  configuration: Configuration,
  levers: readonly Lever[],
  { components, parameters = {} }: Pick<SearchSpace, "components" | "parameters">,
): Configuration {
  const values = new Map<string, ParameterValue>(components.flatMap(parameterValue));
  for (const { component } of configuration) {
    for (const [name, value] of parameterValue(component)) values.set(name, value);
  }
  // Those declared before decide, so one pass in order does.
  const matters = new Map<string, boolean>();
  for (const name of values.keys()) {
    const conditions = Object.entries(getOwn(parameters, name)?.when ?? {});
    matters.set(
      name,
      conditions.every(
        ([other, value]) => matters.get(other) === true && values.get(other) === value,
      ),
    );
  }
  return configuration.map((setting, at) => {
    const { kind, path } = setting.component;
    const isIdle = kind === "parameter" && matters.get(path) === false;
    return isIdle ? (levers[at]?.initial ?? setting) : setting;
  });
}

function parameterValue(component: Component): readonly [string, ParameterValue][] {
  return component.kind === "parameter" ? [[component.path, component.value]] : [];
}
