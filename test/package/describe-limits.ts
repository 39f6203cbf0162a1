import { EspalierError } from "espalier";
import { expect, test } from "vitest";

/** A public option that is a number; `use` hands over a value as that option. */
export type Limit = readonly [call: string, option: string, use: (value: number) => unknown];

/** Tests that each of these options refuses what is outside its range, and says what it takes. */
export function describeLimits(
  limits: readonly Limit[],
  {
    mayBeZero,
    mayBeFractions,
    areTimers,
  }: {
    readonly mayBeZero: ReadonlySet<string>;
    readonly mayBeFractions: RegExp;
    /** Times that end at once where a timer cannot take them. */
    readonly areTimers: RegExp;
  },
): void {
  test.each(limits)(
    "%s refuses a wrong `%s`, and says what was expected and what came",
    async (_call, option, use) => {
      const wrong = [
        -1,
        Number.NaN,
        Number.NEGATIVE_INFINITY,
        ...(mayBeZero.has(option) ? [] : [0]),
        ...(mayBeFractions.test(option) ? [] : [1.5]),
        ...(areTimers.test(option) ? [2 ** 31, Infinity] : []),
      ];
      for (const value of wrong) {
        const error: unknown = await (async () => use(value))().catch((thrown: unknown) => thrown);
        expect(EspalierError.isInstance(error), `${value}: ${String(error)}`).toBe(true);
        const { code, report } = error as EspalierError;
        expect(code).toBe("option-invalid");
        expect(report.expected).toContain(`\`${option}\``);
        expect(report.got).toBe(String(value));
      }
    },
  );
}
