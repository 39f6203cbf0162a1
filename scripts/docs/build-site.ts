/**
 * Builds the documentation as a static site in docs/.vitepress/dist: the pages of the repository,
 * and an API reference generated from the source. Exits with 1 on a dead link or any warning.
 */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { scriptOptions } from "../support/script-options.ts";
import { writeApiReference } from "./api-reference.ts";
import { stagePages } from "./stage-pages.ts";

scriptOptions({
  command: "npm run docs",
  about: "Builds the documentation as a static site in docs/.vitepress/dist.",
});

const root = resolve(import.meta.dirname, "../..");
const source = join(root, "docs/.vitepress/source");
rmSync(source, { recursive: true, force: true });
stagePages(root, source);
await writeApiReference(root, join(source, "reference/api"));

const { code, output } = await vitepress("build", "docs");
// VitePress continues after a warning, for example about a language that it cannot highlight.
const warnings = output
  .split("\n")
  .filter((line) => /\bwarn|\(!\)|not loaded|deprecat/i.test(line));
if (code !== 0 || warnings.length > 0) {
  console.error(["The site was built with problems.", ...warnings].join("\n"));
  process.exitCode = 1;
} else {
  console.log("Built docs/.vitepress/dist.");
}

async function vitepress(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(
    process.execPath,
    [join(root, "node_modules/vitepress/bin/vitepress.js"), ...args],
    {
      cwd: root,
      env: { ...process.env, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      process.stdout.write(chunk);
    });
  }
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, output };
}
