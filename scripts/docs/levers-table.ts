import { z } from "zod";
import { share, table } from "./figures.ts";
import { aheadText, cellRow } from "./optimizers-table.ts";

const measured = z.object({
  levers: z
    .array(cellRow)
    .min(1, "Expected at least one `levers` row, as measured by `--parts levers`; got none."),
});

/** `miproV2()` beside every other engine, on each shape of part levers. */
export function leversTable(figures: unknown): string {
  const { levers } = measured.parse(figures);
  const cells = levers.flatMap(({ shape, metricCalls, engines }) =>
    engines.map(({ engine, runs, val, test, texts, ahead }) => [
      shape.replace("levers-", ""),
      metricCalls.toLocaleString("en"),
      engine,
      String(runs),
      share(val, 3),
      share(test, 3),
      texts.toFixed(0),
      aheadText(ahead),
    ]),
  );
  return table(
    ["tasks", "calls", "engine", "runs", "val", "test", "texts", "miproV2 less it, 95 %"],
    cells,
  );
}
