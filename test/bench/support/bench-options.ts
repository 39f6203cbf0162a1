import { refuse, scriptOptions } from "../../../scripts/support/script-options.ts";

/** A whole number that a bench may be given, and what it counts. */
export type BenchSize = readonly [preset: number, about: string];

/**
 * What every bench understands: `--help`, `--json` for one last JSON line, and its own sizes, whole numbers
 * of at least 0. `--help` and what cannot be read end the process before anything is measured.
 */
export function benchOptions<TName extends string = never>(
  name: string,
  about: string,
  sizes: Readonly<Record<TName, BenchSize>> = {} as Readonly<Record<TName, BenchSize>>,
): { readonly json: boolean; readonly sizes: Readonly<Record<TName, number>> } {
  const help = {
    command: `npm run bench:${name}`,
    about,
    options: {
      json: { about: "Print the figures as a last line of JSON, too" },
      ...Object.fromEntries(
        Object.entries<BenchSize>(sizes).map(([size, [preset, meaning]]) => [
          size,
          { about: meaning, value: "N", preset: String(preset) },
        ]),
      ),
    },
  };
  const { values, flags } = scriptOptions<string>(help);
  const numbers = Object.entries(values).map(([size, value = ""]) => {
    if (/^\d{1,9}$/.test(value)) return [size, Number(value)];
    return refuse(`--${size} "${value}": expected a whole number of at least 0.`, help);
  });
  return {
    json: flags.has("json"),
    sizes: Object.fromEntries(numbers) as Readonly<Record<TName, number>>,
  };
}

/** Ends a bench: with `--json` its figures as the last line, for a machine. */
export function report(json: boolean, text: string, figures: object): void {
  console.log(text);
  if (json) console.log(JSON.stringify(figures));
}
