import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { documentationPages, withLinks } from "./markdown.ts";

/**
 * Copies the repository's pages into `target` in the site's layout: the README becomes the home
 * page and docs/ the root. A link to a file that is not a page of the site becomes plain text.
 */
export function stagePages(root: string, target: string): void {
  const pages = documentationPages(root).filter((page) => page !== "CLAUDE.md");
  const pictures = readdirSync(join(root, "docs"))
    .filter((name) => /[.](?:png|svg)$/.test(name))
    .map((name) => `docs/${name}`);
  const staged = new Map([...pages, ...pictures].map((path) => [path, placeOf(path)]));
  for (const page of pages) {
    const text = withLinks(readFileSync(join(root, page), "utf8"), ({ whole, text, target }) => {
      if (/^[a-z]+:|^#/.test(target)) return whole;
      const [path = "", anchor] = target.split("#");
      const place = staged.get(relative(root, resolve(root, dirname(page), path)));
      if (place === undefined) return text;
      const address = relative(dirname(placeOf(page)), place);
      const isPicture = whole.startsWith("!");
      return `${isPicture ? "!" : ""}[${text}](${address.startsWith(".") ? "" : "./"}${address}${anchor === undefined ? "" : `#${anchor}`})`;
    });
    write(join(target, placeOf(page)), withoutNotes(text));
  }
  for (const picture of pictures) {
    const path = join(target, placeOf(picture));
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(join(root, picture), path);
  }
}

/** Where a page of the repository is on the site. */
export function placeOf(path: string): string {
  if (path === "README.md") return "index.md";
  if (path === "programs/README.md") return "programs.md";
  return path.replace(/^packages\/([^/]+)\/README[.]md$/, "$1-package.md").replace(/^docs\//, "");
}

/** Strips comments, which only scripts and tests read. */
function withoutNotes(page: string): string {
  return page.replace(/^<!-- (?:file: |\/)[^]*?-->\n*/gm, "");
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
