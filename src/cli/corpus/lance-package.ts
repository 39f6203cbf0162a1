import { optionalPackage } from "../packages/optional-package.ts";

/**
 * The index in LanceDB, a package of its own.
 *
 * @throws EspalierError `usage-invalid` where it is not installed
 */
export function lancePackage(): Promise<typeof import("@espalier/lance")> {
  return optionalPackage(() => import("@espalier/lance"), {
    name: "@espalier/lance",
    brings: "The index in LanceDB",
  });
}
