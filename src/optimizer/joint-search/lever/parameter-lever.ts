import type { Component, Parameter } from "../../../contract/index.ts";
import { drawnValue, placeOf, valueAt } from "../../parameter-search/tunable.ts";
import type { ScoreModel } from "../model/score-model.ts";
import type { Features } from "../model/observation.ts";
import type { Lever, Setting } from "./lever.ts";

type ParameterComponent = Extract<Component, { readonly kind: "parameter" }>;

/** Values of a number that are compared. */
const numbersCompared = 41;
/** Places in a number's range, from end to end, at which its curve may leave the parabola. */
const bumps = 7;

interface ParameterLeverOptions {
  readonly scale: number;
  /** Whether runs are to show a number's curve beyond a parabola, which takes many. */
  readonly learnsShape: boolean;
}

/**
 * A choice has an effect for each option; a number has a parabola around the program's own value,
 * and what runs show of another shape.
 */
export function parameterLever(
  component: ParameterComponent,
  parameter: Parameter,
  model: ScoreModel,
  options: ParameterLeverOptions,
): Lever {
  return parameter.kind === "choice"
    ? choiceLever(component, parameter.options, model, options)
    : numberLever(component, parameter, model, options);
}

function choiceLever(
  component: ParameterComponent,
  options: readonly string[],
  model: ScoreModel,
  { scale }: Pick<ParameterLeverOptions, "scale">,
): Lever {
  const initial = settingOf(component, component.value, []);
  const settings = options.map((option) => {
    if (option === component.value) return { setting: initial, place: undefined };
    const place = model.addFeature({ mean: 0, deviation: 0.2 * scale });
    return { setting: settingOf(component, option, [[place, 1]]), place };
  });
  return {
    initial,
    extremes: settings
      .filter(({ place }) => place !== undefined)
      .slice(0, 2)
      .map(({ setting }) => setting),
    best: (effects) => {
      let [best, most] = [initial, 0];
      for (const { setting, place } of settings) {
        const effect = place === undefined ? 0 : (effects[place] as number);
        if (effect > most) [best, most] = [setting, effect];
      }
      return best;
    },
    drawn: (random) => random.choice(settings).setting,
  };
}

function numberLever(
  component: ParameterComponent,
  parameter: Exclude<Parameter, { readonly kind: "choice" }>,
  model: ScoreModel,
  { scale, learnsShape }: ParameterLeverOptions,
): Lever {
  const initial = settingOf(component, component.value, []);
  const own = placeOf(parameter, Number(component.value));
  const slope = model.addFeature({ mean: 0, deviation: 0.6 * scale });
  // A number has one best value, as a rule, so the parabola bends down.
  const bend = model.addFeature({ mean: -0.6 * scale, deviation: 0.5 * scale });
  // Real curves have plateaus and narrow tops, too.
  const shape = Array.from({ length: learnsShape ? bumps : 0 }, (_, place) => ({
    centre: place / (bumps - 1),
    effect: model.addFeature({ mean: 0, deviation: 0.1 * scale }),
  }));
  const settingAt = (value: number): Setting => {
    if (value === component.value) return initial;
    const at = placeOf(parameter, value);
    const distance = at - own;
    return settingOf(component, value, [
      [slope, distance],
      [bend, distance ** 2],
      ...shape.map(
        ({ centre, effect }) => [effect, bump(at - centre) - bump(own - centre)] as const,
      ),
    ]);
  };
  const settings = [
    ...new Set(
      Array.from({ length: numbersCompared }, (_, step) =>
        valueAt(parameter, step / (numbersCompared - 1)),
      ),
    ),
  ].map(settingAt);
  return {
    initial,
    extremes: [...settings.slice(0, 1), ...settings.slice(-1)],
    best: (effects) => {
      let [best, most] = [initial, 0];
      for (const setting of settings) {
        const gain = setting
          .featuresOn("")
          .reduce((sum, [place, value]) => sum + value * (effects[place] as number), 0);
        if (gain > most) [best, most] = [setting, gain];
      }
      return best;
    },
    drawn: (random) => settingAt(drawnValue(parameter, random.random())),
  };
}

/** A normal curve whose deviation is the distance from one centre to the next. */
function bump(distance: number): number {
  return Math.exp(-0.5 * (distance * (bumps - 1)) ** 2);
}

function settingOf(
  component: ParameterComponent,
  value: ParameterComponent["value"],
  features: Features,
): Setting {
  return { component: { ...component, value }, key: String(value), featuresOn: () => features };
}
