import { createRequire } from "node:module";

/** The package's own version and description. Not imported: the compiler would copy the file into `dist/`. */
export const manifest: { readonly version: string; readonly description: string } = createRequire(
  import.meta.url,
)("espalier/package.json");
