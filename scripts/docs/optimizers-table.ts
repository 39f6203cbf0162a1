import { z } from "zod";
import { share, signed, table } from "./figures.ts";

const interval = z.object({ low: z.number(), high: z.number() }).nullable();
const engine = z.object({
  engine: z.string(),
  runs: z.number(),
  val: z.number(),
  test: z.number(),
  texts: z.number(),
  ahead: z.object({ difference: z.number(), interval }).optional(),
});
/** A row of a part that compares engines. */
export const cellRow = z.object({
  shape: z.string(),
  about: z.string(),
  actsOn: z.string(),
  metricCalls: z.number(),
  engines: z.array(engine),
});
const optimizers = z.object({
  rows: z
    .array(cellRow)
    .min(1, "Expected at least one `shapes` row, as measured by `--parts shapes`; got none."),
  lost: z.array(z.string()),
});

/** Ours beside the best configuration of gepa on each shape of `npm run bench:optimizers`. */
export function optimizersTable(figures: unknown): string {
  const { rows, lost } = optimizers.parse(figures);
  const cells = rows.map(({ shape, actsOn, metricCalls, engines: [ours, ...others] }) => {
    const peers = others.filter(({ engine: name }) => name.startsWith("gepa 0.1.4"));
    const best = peers.toSorted((one, other) => other.test - one.test)[0];
    return [
      shape,
      actsOn,
      metricCalls.toLocaleString("en"),
      share(ours?.test ?? NaN, 3),
      best === undefined ? "" : `${share(best.test, 3)} ${best.engine.replace("gepa 0.1.4, ", "")}`,
      aheadText(best?.ahead),
    ];
  });
  const abouts = new Map(rows.map(({ shape, about }) => [shape, about]));
  return [
    [...abouts].map(([shape, about]) => `*${shape}*: ${about}`).join("; ") + ".",
    "",
    table(["tasks", "acts on", "calls", "espalier", "gepa 0.1.4, best", "difference, 95 %"], cells),
    "",
    lost.length === 0
      ? "In no cell is a configuration of gepa above ours by more than its interval."
      : `Lost: ${lost.join("; ")}.`,
  ].join("\n");
}

/** Ours less another on test, and whether that is shown. */
export function aheadText(ahead: z.infer<typeof engine>["ahead"]): string {
  if (ahead === undefined) return "";
  const { difference, interval: of } = ahead;
  const text = signed(difference);
  if (of === null) return text;
  const range = `[${share(of.low, 3)}, ${share(of.high, 3)}]`;
  if (of.high < 0) return `${text} ${range}, lost`;
  return `${text} ${range}${of.low > 0 ? "" : ", not shown"}`;
}
