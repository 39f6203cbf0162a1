import { createRequire } from "node:module";

/**
 * The package's own package.json, as far as commands need it. An import would make the compiler
 * copy the file to `dist/`.
 */
export const manifest: {
  readonly version: string;
  readonly description: string;
  /** Absent once it is published. */
  readonly private?: boolean;
  readonly peerDependencies: { readonly zod: string };
} = createRequire(import.meta.url)("espalier/package.json");
