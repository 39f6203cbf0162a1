import { parseArgs } from "node:util";

/** What every bench understands: `--json` for one last JSON line, and its own sizes. */
export function benchOptions<TSizes extends Readonly<Record<string, number>>>(
  defaults: TSizes,
): { readonly json: boolean; readonly sizes: TSizes } {
  const { values } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      ...Object.fromEntries(
        Object.keys(defaults).map((name) => [name, { type: "string" as const }]),
      ),
    },
  });
  const given: Readonly<Record<string, unknown>> = values;
  const sizes = Object.fromEntries(
    Object.entries(defaults).map(([name, preset]) => [name, Number(given[name] ?? preset)]),
  ) as TSizes;
  return { json: values.json, sizes };
}

/** Ends a bench: with `--json` its figures as the last line, for a machine. */
export function report(json: boolean, text: string, figures: object): void {
  console.log(text);
  if (json) console.log(JSON.stringify(figures));
}
