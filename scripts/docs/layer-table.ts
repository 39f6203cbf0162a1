import { collections, floors, layers, packages } from "../layers/layers.ts";
import { withBlock } from "./with-block.ts";

/** `page` with the block between the two marks replaced by the table of layers. */
export function withLayerTable(page: string): string {
  return withBlock(page, "layers", layerTable());
}

function layerTable(): string {
  const rows = layers.map((row, depth) => `| ${depth + 1} | ${row.map(code).join(", ")} |`);
  const beside = Object.entries(collections).map(([name, collection]) => {
    const types = collection.typesOf.map((folder) => `types of \`${folder}/\``);
    const npm = collection.npm === "any" ? ["any declared package"] : collection.npm.map(code);
    return `| \`${name}/\` | ${[
      "`espalier`",
      ...collection.packages.map((one) => code(`@espalier/${one}`)),
      ...collection.folders.map((folder) => `\`${folder}/\``),
      ...types,
      ...npm,
      ...(collection.nodeBuiltins ? ["Node.js"] : []),
    ].join(", ")} |`;
  });
  return [
    "| row | folders of `src/`; each imports only from lower rows |",
    "| --- | --- |",
    ...rows,
    "",
    "| inside `src/` | its floors, lowest first; `.` means the files directly in the folder |",
    "| --- | --- |",
    ...Object.entries(floors).map(
      ([folder, parts]) =>
        `| \`${folder}\` | ${parts.map((row) => row.map(code).join(", ")).join(" → ")} |`,
    ),
    "",
    "| package | its folder | imports from `src/`; imports of `espalier`'s entry points stay imports, its build bundles the rest | imported in `src/` by name, and only by |",
    "| --- | --- | --- | --- |",
    ...Object.entries(packages).map(
      ([name, { folder, imports, importedBy, isShippedBundled = false }]) => {
        const importer = importedBy === undefined ? "nobody" : code(importedBy);
        const shipped = isShippedBundled ? "; `espalier` ships its bundle" : "";
        return `| \`${name}\` | \`${folder}\` | ${imports.map(code).join(", ")} | ${importer}${shipped} |`;
      },
    ),
    "",
    "| beside `src/` | may import |",
    "| --- | --- |",
    ...beside,
    "| `artifacts/` | nothing: it is data |",
    "| `scripts/` | everything but `test/` |",
    "| `test/` | everything |",
  ].join("\n");
}

function code(name: string): string {
  return `\`${name}\``;
}
