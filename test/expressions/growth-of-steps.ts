import type { Attack } from "./attack-strings.ts";
import { attacksOn } from "./attack-strings.ts";
import { compileExpression } from "./compile-expression.ts";
import { countSteps } from "./count-steps.ts";

/** More than any linear expression of ours takes; 1 MiB at this pace is a second or two. */
const maxStepsPerCharacter = 100;

/**
 * Characters of the attacking texts: enough to see growth, and forty times as many for `npm run
 * test:slow`.
 */
export const shortTexts = [250, 500, 1_000];
export const longTexts = [10_000, 20_000, 40_000];

/**
 * What is wrong with an expression on the texts made against it, the worst ones at each of
 * `lengths`; `undefined` if its steps grow no faster than the text.
 */
export function growthOfSteps(expression: RegExp, lengths: readonly number[]): string | undefined {
  const compiled = compileExpression(expression);
  const stepsACharacter = (attack: Attack, length: number): number => {
    const text = attack(length);
    return countSteps(compiled, text, 2 * maxStepsPerCharacter * text.length) / text.length;
  };
  const worst = attacksOn(expression)
    .map((attack) => ({ attack, steps: stepsACharacter(attack, 500) }))
    .toSorted((one, other) => other.steps - one.steps)
    .slice(0, 3);
  for (const { attack } of worst) {
    let before = Infinity;
    for (const length of lengths) {
      const steps = stepsACharacter(attack, length);
      if (steps > maxStepsPerCharacter || steps > 1.5 * before) {
        const shown = JSON.stringify(attack(30)).slice(0, 120);
        return `${Math.round(steps)} steps a character at ${length} characters of ${shown}`;
      }
      before = steps;
    }
  }
  return undefined;
}
