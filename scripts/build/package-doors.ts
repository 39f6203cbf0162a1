import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The doors of `espalier` by the path of their source, without its ending: what a package of the
 * workspace imports of them stays an import of its peer; everything else of `src/` is bundled.
 */
export function packageDoors(root: string): ReadonlyMap<string, string> {
  const { exports }: { readonly exports: Readonly<Record<string, string | Door>> } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  return new Map(
    Object.entries(exports).flatMap(([name, door]) => {
      const source = typeof door === "string" ? "" : door["espalier:source"];
      return source.startsWith("./src/")
        ? [[source.slice("./".length, -".ts".length), `espalier${name.slice(1)}`]]
        : [];
    }),
  );
}

interface Door {
  readonly "espalier:source": string;
}
