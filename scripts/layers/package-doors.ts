import { readFileSync } from "node:fs";
import { join, relative } from "node:path";

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

/** The door whose source, or whose declarations, are at `path`, in a tree like the repository. */
export function doorAt(
  path: string,
  { doors, root }: { readonly doors: ReadonlyMap<string, string>; readonly root: string },
): string | undefined {
  return doors.get(relative(root, path).replace(/[.]\w+$/, ""));
}

interface Door {
  readonly "espalier:source": string;
}
