import { refuse, scriptOptions } from "../../../scripts/support/script-options.ts";

/** The default of a bench's size option, and what the option counts. */
export type BenchSize = readonly [preset: number, about: string];

/**
 * Parses the options that every bench accepts: `--help`, `--json` for a last line of JSON, and the
 * bench's own sizes, whole numbers of at least 0. `--help` and invalid options end the process
 * before measuring.
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
      json: { about: "Also print the figures as a last line of JSON" },
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

/** Prints a bench's report, and with `--json` its figures as the last line. */
export function report(json: boolean, text: string, figures: object): void {
  console.log(text);
  if (json) console.log(JSON.stringify(figures));
}
