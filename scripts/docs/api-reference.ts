import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Application } from "typedoc";

/** A door of the package: what is imported, and the file of the source that says what it holds. */
interface Door {
  readonly name: string;
  readonly source: string;
  /** The file that its page is in. */
  readonly page: string;
}

/**
 * Writes a page for each door of the package into `target`, from the comments of the source.
 *
 * @throws an error when typedoc warns: a link in a comment leads nowhere, a file does not compile
 */
export async function writeApiReference(root: string, target: string): Promise<void> {
  const doors = doorsOf(root);
  const app = await Application.bootstrapWithPlugins({
    plugin: ["typedoc-plugin-markdown"],
    entryPoints: doors.map(({ source }) => join(root, source)),
    tsconfig: join(root, "src/tsconfig.json"),
    readme: "none",
    groupOrder: ["Functions", "Classes", "Variables", "*"],
    excludeInternal: true,
    excludePrivate: true,
    disableSources: true,
    skipErrorChecking: true, // `npm run types` checks
    // A type that no door exports is named in signatures, and says enough by its name.
    validation: { notExported: false, invalidLink: true, rewrittenLink: true },
    logLevel: "Warn",
    outputs: [{ name: "markdown", path: target }],
    ...markdownOptions,
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("typedoc cannot read the source");
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings())
    throw new Error("typedoc warned, see above");
  // The root of the package is the module "index", which is the name of the page of all modules
  // too.
  renameSync(join(target, "index.md"), join(target, "espalier.md"));
  for (const { name, page } of doors) {
    const path = join(target, page);
    const text = readFileSync(path, "utf8").replaceAll("](index.md", "](espalier.md");
    writeFileSync(path, `# ${name}\n\n${text}`);
  }
  rmSync(join(target, "modules.md"));
  writeFileSync(join(target, "index.md"), contents(doors));
}

/** Of typedoc-plugin-markdown: one file, no frame, nothing that VitePress would read as a tag. */
const markdownOptions = {
  router: "module",
  entryFileName: "modules",
  hidePageHeader: true,
  hidePageTitle: true,
  hideBreadcrumbs: true,
  useHTMLEncodedBrackets: true,
  sanitizeComments: true,
  useCodeBlocks: true,
  expandObjects: false,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
};

function contents(doors: readonly Door[]): string {
  return [
    "# API",
    "",
    "One page for each door of the package, written from the comments in the source.",
    "[Packages and entry points](../packages.md#entry-points) says what each is for.",
    "",
    ...doors.map(({ name, page }) => `- [\`${name}\`](./${page})`),
    "",
  ].join("\n");
}

function doorsOf(root: string): readonly Door[] {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string | { readonly "espalier:source": string }>>;
  };
  return Object.entries(exports).flatMap(([door, target]) => {
    if (typeof target === "string" || door.includes("*")) return [];
    const name = door.replace(".", "espalier");
    const page = `${name.split("/").at(-1) ?? name}.md`;
    return [{ name, source: target["espalier:source"], page }];
  });
}
