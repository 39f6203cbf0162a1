import type { Candidate, Demonstration } from "espalier";
import { randomSource } from "espalier";

/**
 * The same components with the outputs of each demonstration given to another of its predictor,
 * seeded, all of them once. None gets the outputs of one of its own kind unless more than half are
 * of that kind: these would still be right.
 *
 * @param kindOf by default each is of its own
 */
export function dealt(
  components: Candidate,
  seed: number,
  kindOf: (demonstration: Demonstration) => string = ({ exampleId }) => exampleId,
): Candidate {
  const random = randomSource(seed, "placebo/dealt");
  return components.map((component) => {
    if (component.kind !== "demos") return component;
    const all = component.value;
    const groups = [...Map.groupBy(random.shuffle(all), kindOf).values()];
    const order = groups.flat();
    const shift = Math.max(0, ...groups.map(({ length }) => length));
    const outputs = new Map(
      order.map((one, at) => [one, (order[(at + shift) % order.length] ?? one).outputs]),
    );
    const value = all.map((one) => ({ ...one, outputs: outputs.get(one) ?? one.outputs }));
    return { ...component, value };
  });
}
