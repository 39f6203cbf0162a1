import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/**
 * Replaces the compiled file with a bundle of what `src/ax/ax.ts` exports and all its dependencies,
 * and writes the license beside it. Fails if the bundle still imports another package.
 */
export async function bundleAx(folder: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: ["src/ax/ax.ts"],
    outfile: join(folder, "ax.js"),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    // Names stay, because code tells errors apart by them.
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
        `${name} has the license ${manifest.license}, but the notice covers only Apache-2.0.`,
      );
    }
    const { author, homepage } = manifest;
    const by = typeof author === "object" ? author.name : author;
    return `  ${name} ${manifest.version}, by ${by}, ${homepage}`;
  });
  return [
    "ax.js contains parts of these packages, bundled into one file and otherwise unchanged:",
    "",
    ...notices,
    "",
    "They are licensed under the Apache License, Version 2.0:",
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
