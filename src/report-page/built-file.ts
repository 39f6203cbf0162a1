import { readFileSync } from "node:fs";
import { EspalierError } from "../errors/index.ts";

/**
 * A file that `npm run bundle:pages` makes. Read at each call, so that nothing is kept between
 * calls.
 *
 * @throws EspalierError `file-missing`
 */
export function builtFile(name: string): string {
  const file = new URL(`built/${name}`, import.meta.url);
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new EspalierError({
      code: "file-missing",
      problem: "A part of the report's page is missing",
      got: file.pathname,
      fix: "In a checkout, run `npm run bundle:pages`; elsewhere, install espalier again.",
      cause: error,
    });
  }
}
