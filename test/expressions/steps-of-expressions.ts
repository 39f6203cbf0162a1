import type { CompiledExpression } from "./compile-expression.ts";
import { compileExpression } from "./compile-expression.ts";
import { countSteps } from "./count-steps.ts";

const methods = [
  Symbol.replace,
  Symbol.search,
  Symbol.split,
  Symbol.match,
  Symbol.matchAll,
] as const;

/**
 * The steps that a backtracking engine takes for all expressions that `work` applies to texts, and
 * one for each time that it applies one. All matches of an expression are counted even where the
 * first is enough.
 */
export function stepsOfExpressions(work: () => void): number {
  const compiled = new Map<string, CompiledExpression>();
  const applied: (readonly [RegExp, string])[] = [];
  const prototype = RegExp.prototype as unknown as Record<
    symbol | string,
    (...given: never[]) => unknown
  >;
  const names = [...methods, "exec", "test"];
  const natives = names.map((name) => prototype[name]);
  let current: string | undefined;
  for (const [index, name] of names.entries()) {
    const native = natives[index];
    if (native === undefined) throw new Error(`No ${String(name)}`);
    prototype[name] = function (this: RegExp, ...given: never[]) {
      // The engine's other methods call this one.
      if (name === "exec" && current === this.source) return native.apply(this, given);
      const outer = current;
      applied.push([this, String(given[0])]);
      current = this.source;
      try {
        return native.apply(this, given);
      } finally {
        current = outer;
      }
    };
  }
  try {
    work();
  } finally {
    for (const [index, name] of names.entries()) prototype[name] = natives[index] as never;
  }
  let steps = applied.length;
  for (const [expression, text] of applied) {
    const key = String(expression);
    const known = compiled.get(key) ?? compileExpression(expression);
    compiled.set(key, known);
    steps += countSteps(known, text, Infinity);
  }
  return steps;
}
