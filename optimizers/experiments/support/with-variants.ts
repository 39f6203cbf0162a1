import type { Study } from "espalier";
import { study } from "espalier";
import type { Parts } from "espalier/servers";

/**
 * A row of a study's variants `NAME-SUFFIX`, each under the name NAME, so that `--trainset NAME`
 * gives every row of a table the same data. Without `--trainset` the row takes `four-shelves`.
 */
export function withVariants(
  made: (parts: Parts) => Promise<Study>,
  suffix: string,
): (parts: Parts) => Promise<Study> {
  return async (parts) => {
    const { variants = {} } = await made(parts);
    const ending = `-${suffix}`;
    const { "four-shelves": own, ...others } = Object.fromEntries(
      Object.entries(variants)
        .filter(([name]) => name.endsWith(ending))
        .map(([name, make]) => [name.slice(0, -ending.length), make]),
    );
    if (own === undefined) throw new TypeError(`The study has no variant four-shelves${ending}.`);
    return study({ ...(await own()), variants: others });
  };
}
