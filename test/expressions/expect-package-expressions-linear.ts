import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expressionsIn } from "./expressions-in-source.ts";
import { growthOfSteps } from "./growth-of-steps.ts";
import { recordedExpressions } from "./recorded-expressions.ts";

const files = globSync(
  "{src,packages/*/src,programs,trainsets,signatures,optimizers}/**/*.{ts,js}",
  {
    // Bundles and copies: their sources are here, or are other packages.
    exclude: ["src/report-page/built/**", "src/serve/routes/page/browser/**"],
  },
).toSorted();
const { literals, built } = expressionsIn(files, ["pythonPattern", "lineEscaper"]);

/** Tests every regular expression of the package on texts of these lengths. */
export function expectPackageExpressionsLinear(lengths: readonly number[]): void {
  describe("a regular expression of the package", () => {
    it.each(literals.map(({ where, expression }) => [where, expression] as const))(
      "takes steps in proportion to the text: %s %s",
      (_, expression) => {
        expect(growthOfSteps(expression, lengths)).toBeUndefined();
      },
    );

    it.each([...built])("takes as many where %s builds it (%i)", async (file, count) => {
      const found = await recordedExpressions(file);
      // Fewer: recorded-expressions.ts lacks calls that make the file build the others.
      expect(found.length).toBeGreaterThanOrEqual(count);
      const growing = found.flatMap((expression) => {
        const growth = growthOfSteps(expression, lengths);
        return growth === undefined ? [] : [`${String(expression)}: ${growth}`];
      });
      expect(growing).toEqual([]);
    });
  });
}
