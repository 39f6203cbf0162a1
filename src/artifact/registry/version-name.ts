import { EspalierError } from "../../errors/index.ts";
import type { Alias } from "./aliases.ts";
import { aliasNames } from "./aliases.ts";

const versionDigits = 12;

/** The name of a version: the first digits of its content hash. */
export function versionOf({ hash }: { readonly hash: string }): string {
  return hash.slice(0, versionDigits);
}

export function isVersion(text: string): boolean {
  return /^[0-9a-f]{12}$/.test(text);
}

/** An alias, or the beginning of a content hash. */
export type VersionName =
  | { readonly kind: "alias"; readonly alias: Alias }
  | { readonly kind: "prefix"; readonly prefix: string };

/** @throws EspalierError `registry-name-invalid` */
export function versionName(given: string): VersionName {
  const alias = aliasNames.find((name) => name === given);
  if (alias !== undefined) return { kind: "alias", alias };
  if (/^[0-9a-f]{4,64}$/.test(given)) return { kind: "prefix", prefix: given };
  throw new EspalierError({
    code: "registry-name-invalid",
    problem: "This is not a valid version name",
    expected: `${aliasNames.join(", ")}, or the first 4 or more hexadecimal digits of a content hash`,
    got: JSON.stringify(given),
  });
}

/** @throws EspalierError `registry-name-invalid` */
export function aliasName(given: string): Alias {
  const alias = aliasNames.find((name) => name === given);
  if (alias !== undefined) return alias;
  throw new EspalierError({
    code: "registry-name-invalid",
    problem: "This is not a valid alias",
    expected: aliasNames.join(" or "),
    got: JSON.stringify(given),
  });
}
