import type { TextComponent } from "../../task/text-component.ts";
import type { Features, Prior } from "../model/observation.ts";
import type { ScoreModel } from "../model/score-model.ts";
import type { Lever, Setting } from "./lever.ts";

export interface TextSetting extends Setting {
  readonly component: TextComponent;
}

/** A text and those written from it. Each has the effects of its ancestors and one of its own. */
export interface TextLever extends Lever {
  readonly initial: TextSetting;
  readonly texts: readonly TextSetting[];
  write(parent: TextSetting, text: string): void;
  best(effects: Float64Array, exampleIds: readonly string[]): TextSetting;
}

export function textLever(component: TextComponent, model: ScoreModel, scale: number): TextLever {
  // Reflection means well: a new text is worth a trial.
  const prior: Prior = { mean: 0, deviation: 0.1 * scale, hope: 0.1 * scale };
  const texts = [settingOf(component, "0", [])];
  const [initial] = texts as [TextSetting];
  return {
    initial,
    texts,
    write: (parent, text) => {
      const features = [...parent.featuresOn(""), [model.addFeature(prior), 1] as const];
      texts.push(settingOf({ ...component, value: text }, String(texts.length), features));
    },
    best: (effects) => {
      let [best, most] = [initial, 0];
      for (const setting of texts) {
        const value = setting
          .featuresOn("")
          .reduce((sum, [place]) => sum + (effects[place] as number), 0);
        if (value > most) [best, most] = [setting, value];
      }
      return best;
    },
    drawn: (random) => random.choice(texts),
  };
}

function settingOf(component: TextComponent, key: string, features: Features): TextSetting {
  return { component, key, featuresOn: () => features };
}
