import { createRequire } from "node:module";

/**
 * The package's version and description. An import would make the compiler copy the file to
 * `dist/`.
 */
export const manifest: { readonly version: string; readonly description: string } = createRequire(
  import.meta.url,
)("espalier/package.json");
