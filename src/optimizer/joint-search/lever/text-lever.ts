import { cosineOfWords, wordVectors } from "../../../internal/index.ts";
import type { Lever, Setting } from "./lever.ts";
import type { ScoreModel } from "../model/score-model.ts";
import type { Features, Prior } from "../model/observation.ts";
import type { TextComponent } from "../../task/search-space.ts";

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

/** How alike the inputs of two examples are, from 0 to 1. */
export type Similarity = (oneId: string, otherId: string) => number;

/** Texts that all are compared with; more would tell little and take long. */
const mostLandmarks = 200;

/**
 * Two texts are as alike as what they resemble: the cosine of their similarities to the first 200
 * texts, by words. Short texts about one thing often share no word, but they share words with the
 * same others (E. Pekalska and R. Duin, "The Dissimilarity Representation for Pattern Recognition",
 * 2005).
 */
export function textSimilarity(textOf: ReadonlyMap<string, string>): Similarity {
  const vectorOf = wordVectors(textOf.values());
  const vectors = new Map([...textOf].map(([id, text]) => [id, vectorOf(text)]));
  const landmarks = [...vectors.values()].slice(0, mostLandmarks);
  const profiles = new Map(
    [...vectors].map(([id, own]) => [id, unit(landmarks.map((one) => cosineOfWords(own, one)))]),
  );
  const known = new Map<string, Map<string, number>>();
  return (oneId, otherId) => {
    const ofOne = known.get(oneId) ?? new Map<string, number>();
    known.set(oneId, ofOne);
    const cosine = ofOne.get(otherId) ?? dotProduct(profiles.get(oneId), profiles.get(otherId));
    ofOne.set(otherId, cosine);
    return cosine;
  };
}

function unit(values: readonly number[]): readonly number[] {
  const length = Math.hypot(...values);
  return length === 0 ? values : values.map((value) => value / length);
}

function dotProduct(one: readonly number[] = [], other: readonly number[] = []): number {
  return one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0);
}
