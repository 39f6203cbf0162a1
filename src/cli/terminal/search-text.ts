import type { ChosenSearch } from "../../optimizer/index.ts";

/** Says which search an optimizer has chosen, and why. */
export function searchText({ name, version, why }: ChosenSearch): string {
  return `search: ${name} ${version}, because ${why}`;
}
