import type { z } from "zod";
import type { Demonstration } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { deepFreeze, wellFormed } from "../../internal/index.ts";
import type { Signature } from "../../signature/index.ts";
import { objectOf } from "../../signature/index.ts";

/**
 * Checks demonstrations against a predictor's fields, copies and freezes them. A demonstration may
 * omit fields, but needs at least one input and one output.
 *
 * @throws EspalierError `component-invalid`, which names the demonstration by its example
 */
export function checkedDemos(
  demos: readonly Demonstration[],
  { name, input, output }: Signature,
): readonly Demonstration[] {
  if (demos.length === 0) return demos;
  const inputs = objectOf(input, "strict").partial();
  const outputs = objectOf(output, "strict").partial();
  return deepFreeze(
    demos.map((demo) => {
      const problem =
        problemOf(inputs, demo.inputs, "input") ?? problemOf(outputs, demo.outputs, "output");
      if (problem === undefined) return wellFormed(structuredClone(demo));
      throw new EspalierError({
        code: "component-invalid",
        problem: `A demonstration does not fit signature "${name}": ${problem}`,
        where: `the demonstration of example "${demo.exampleId}"`,
        fix: "Show some of the signature's own fields, with values that they allow",
      });
    }),
  );
}

function problemOf(
  schema: z.ZodType,
  values: unknown,
  side: "input" | "output",
): string | undefined {
  const parsed = schema.safeParse(values);
  const [issue] = parsed.error?.issues ?? [];
  if (issue !== undefined) return `${side} ${issue.path.join(".")}: ${issue.message}`;
  return Object.keys(values as object).length === 0 ? `it shows no ${side}` : undefined;
}
