import { optionalPackage } from "../packages/optional-package.ts";

/**
 * The index in PostgreSQL, a package of its own.
 *
 * @throws EspalierError `usage-invalid` where it is not installed
 */
export function postgresPackage(): Promise<typeof import("@espalier/postgres")> {
  return optionalPackage(() => import("@espalier/postgres"), {
    name: "@espalier/postgres",
    brings: "The index in PostgreSQL",
  });
}
