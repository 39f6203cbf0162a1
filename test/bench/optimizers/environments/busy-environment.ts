import { fnv1a32 } from "../../../support/yardstick/mock-reflection.ts";
import type { Environment } from "./environment.ts";

/**
 * A task that keeps an engine busy for any number of calls: no text is ever perfect, no text occurs
 * twice, and throughout the run every other proposal is better than its parent, so that candidates,
 * fronts and lineages grow as in real runs. On the yardstick itself, a search that rejects known
 * texts ends after a few hundred calls.
 *
 * A text is `name LEVEL CALL`. An example uses one of two texts and scores 1 - .9 / (1 + LEVEL /
 * 50), minus up to .001 depending on example and text, so that instance fronts stay mixed.
 */
export function busyEnvironment(): Environment {
  const components = new Map<string, "first" | "second">();
  const split = (prefix: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => {
      components.set(`${prefix}${index}`, index % 2 === 0 ? "first" : "second");
      return `${prefix}${index}`;
    });
  const [train, val] = [split("train", 30), split("val", 20)];
  const inTrain = new Set(train);
  const componentOf = (exampleId: string): string => components.get(exampleId) ?? "first";
  const trueScore: Environment["trueScore"] = (texts, exampleId) => {
    const text = texts[componentOf(exampleId)] ?? "";
    const jitter = fnv1a32(`${exampleId} ${text}`) % 1000;
    return 1 - 0.9 / (1 + levelOf(text) / 50) - jitter / 1e6;
  };
  return {
    name: "busy",
    task: 0,
    texts: { first: "first 0 0", second: "second 0 0" },
    train,
    val,
    test: [],
    ran: (exampleId) => [componentOf(exampleId)],
    trueScore,
    rolloutScore: trueScore,
    feedback: (_, exampleId) =>
      inTrain.has(exampleId)
        ? { [componentOf(exampleId)]: `Raise the level of ${exampleId}.` }
        : {},
    // Raises or lowers the level, each in half of the calls.
    rewrite: ({ component, text, call }) => {
      const step = fnv1a32(`busy:${call + 1}`) % 2 === 0 ? 1 : -1;
      return `${component} ${Math.max(0, levelOf(text) + step)} ${call + 1}`;
    },
  };
}

function levelOf(text: string): number {
  return Number(text.split(" ")[1] ?? 0);
}
