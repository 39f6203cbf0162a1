import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/**
 * Puts what `src/ax/ax.ts` names, with all that it needs, in the place of the compiled file, and
 * the licence beside it. Fails if anything is left to be imported from another package.
 */
export async function bundleAx(folder: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: ["src/ax/ax.ts"],
    outfile: join(folder, "ax.js"),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    // Names stay: errors are told apart by them.
    minifyWhitespace: true,
    legalComments: "inline",
    banner: { js: "// Parts of @ax-llm/ax and @opentelemetry/api, bundled: see LICENSE.ax.txt." },
    metafile: true,
    logLevel: "warning",
  });
  const [output] = Object.values(metafile.outputs);
  const imported = output?.imports.filter(({ path }) => !path.startsWith("node:")) ?? [];
  if (imported.length > 0) {
    throw new Error(`ax.js still imports ${imported.map(({ path }) => path).join(", ")}.`);
  }
  const taken = Object.keys(metafile.inputs).flatMap((input) => packageOf(input) ?? []);
  writeFileSync(join(folder, "LICENSE.ax.txt"), licenceOf([...new Set(taken)]));
}

function packageOf(input: string): string | undefined {
  return /[/]node_modules[/]((?:@[^/]+[/])?[^/]+)/.exec(`/${input}`)?.[1];
}

function licenceOf(packages: readonly string[]): string {
  const notices = packages.map((name) => {
    const manifest = JSON.parse(read(name, "package.json")) as Manifest;
    if (manifest.license !== "Apache-2.0") {
      throw new Error(
        `${name} is under ${manifest.license}: the notice speaks of Apache-2.0 alone.`,
      );
    }
    const { author, homepage } = manifest;
    const by = typeof author === "object" ? author.name : author;
    return `  ${name} ${manifest.version}, by ${by}, ${homepage}`;
  });
  return [
    "ax.js holds parts of these packages, bundled into one file and otherwise as they were published:",
    "",
    ...notices,
    "",
    "They are under the Apache License, Version 2.0, which follows.",
    read("@opentelemetry/api", "LICENSE"),
  ].join("\n");
}

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly homepage: string;
  readonly author: string | { readonly name: string };
}

function read(name: string, file: string): string {
  return readFileSync(join("node_modules", name, file), "utf8");
}
