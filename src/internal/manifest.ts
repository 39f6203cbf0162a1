import { createRequire } from "node:module";

/**
 * The package's own package.json, as far as it is needed. An import would make the compiler copy
 * the file to `dist/`.
 */
export function manifest(): {
  readonly version: string;
  readonly description: string;
  /** Absent once it is published. */
  readonly private?: boolean;
  readonly peerDependencies: { readonly zod: string };
} {
  return createRequire(import.meta.url)("espalier/package.json");
}
