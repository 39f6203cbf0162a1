/**
 * Shows what a release would publish: for each package its files, sizes, version, changelog entry
 * and tag. It publishes nothing. Without `--dry-run` it leaves the archives in .espalier/release
 * and prints the commands that publish them, but only from a clean checkout that passes every
 * release check.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { changelogEntry } from "./release/changelog-entry.ts";
import { releaseProblems } from "./release/release-problems.ts";
import { packages as rows } from "./layers/layers.ts";
import { scriptOptions } from "./support/script-options.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
}

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

const { flags } = scriptOptions({
  command: "npm run release",
  about: "Packs every package and shows what a release would publish. Publishes nothing.",
  options: {
    "dry-run": { about: "Pack and show, even if the release is not ready" },
    files: { about: "List every file, not only folders" },
    json: { about: "Print JSON as the last line" },
  },
});

const root = resolve(import.meta.dirname, "..");
const isDry = flags.has("dry-run");
const published = Object.values(rows).filter(({ isShippedBundled = false }) => !isShippedBundled);
const folders = [root, ...published.map(({ folder }) => join(root, folder))];
const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
const tags = new Set(lines("git", ["tag", "--list"]));
const packages = folders.map((folder) => {
  const manifest = manifestOf(folder);
  const { name, version } = manifest;
  const tag = folder === root ? `v${version}` : `${name}@${version}`;
  return {
    folder,
    manifest,
    tag,
    isTagged: tags.has(tag),
    entry: changelogEntry(changelog, version),
  };
});

const problems = releaseProblems({
  changedFiles: lines("git", ["status", "--porcelain"]),
  branch: lines("git", ["branch", "--show-current"])[0] ?? "",
  packages: packages.map(({ manifest, tag, isTagged, entry }) => ({
    name: manifest.name,
    isPrivate: manifest.private === true,
    tag,
    isTagged,
    hasEntry: entry?.isOfVersion === true,
  })),
});
if (!isDry && problems.length > 0) {
  console.error(
    ["A release cannot be made:", ...problems.map((problem) => `- ${problem}`)].join("\n"),
  );
  console.error("`npm run release -- --dry-run` shows what it would contain.");
  process.exit(1);
}

run("npm", ["run", "--silent", "build"]);
const target = isDry
  ? mkdtempSync(join(tmpdir(), "espalier-release-"))
  : join(root, ".espalier/release");
mkdirSync(target, { recursive: true });
const shown = packages.map(({ folder, manifest, tag, isTagged, entry }) => {
  const packed = pack(folder, target);
  console.log(`\n${manifest.name} ${manifest.version}`);
  console.log(
    `  archive    ${packed.filename}, ${kilobytes(packed.size)}, unpacked ${kilobytes(packed.unpackedSize)}`,
  );
  console.log(`  tag        ${tag}, ${isTagged ? "exists already" : "does not exist yet"}`);
  console.log(
    `  changelog  ${entry === undefined ? "no entry" : `${entry.title}, ${entry.lines} lines`}`,
  );
  console.log(`  files      ${packed.files.length}`);
  for (const [place, { count, size }] of placesOf(packed)) {
    console.log(
      `    ${place.padEnd(28)} ${String(count).padStart(4)}  ${kilobytes(size).padStart(9)}`,
    );
  }
  return { name: manifest.name, version: manifest.version, tag, isTagged, entry, ...packed };
});

if (isDry) {
  rmSync(target, { recursive: true });
  if (problems.length > 0) {
    console.log(
      ["\nMissing for a release:", ...problems.map((problem) => `- ${problem}`)].join("\n"),
    );
  }
  console.log("\nNothing was published.");
} else {
  console.log("\nTo publish, after checking the above:");
  for (const { filename, tag } of shown) {
    console.log(
      `  npm publish ${relative(root, join(target, filename))} && git tag -a ${tag} -m ${tag}`,
    );
  }
}
if (flags.has("json")) console.log(JSON.stringify({ packages: shown, problems }));

function pack(folder: string, destination: string): Packed {
  const output = run("npm", ["pack", "--json", "--pack-destination", destination], folder);
  // The build's output goes to the same stream.
  const [packed] = JSON.parse(output.slice(output.indexOf("[\n"))) as readonly Packed[];
  if (packed === undefined) throw new Error(`npm packed nothing in ${folder}.`);
  return packed;
}

/** Files by folder, two levels deep; each file with `--files`. */
function placesOf({ files }: Packed) {
  const places = new Map<string, { count: number; size: number }>();
  for (const { path, size } of files) {
    const parts = path.split("/");
    const place =
      flags.has("files") || parts.length === 1
        ? path
        : `${parts.slice(0, -1).slice(0, 2).join("/")}/`;
    const sum = places.get(place) ?? { count: 0, size: 0 };
    places.set(place, { count: sum.count + 1, size: sum.size + size });
  }
  return [...places].toSorted(([one], [other]) => one.localeCompare(other));
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}

function lines(command: string, args: readonly string[]): readonly string[] {
  return run(command, args)
    .split("\n")
    .filter((line) => line !== "");
}

function run(command: string, args: readonly string[], cwd = root): string {
  return execFileSync(command, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 64 * 1_024 * 1_024,
    stdio: ["ignore", "pipe", "inherit"],
  });
}
