import { globSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Documentation pages outside `docs/`, relative to the repository's root. */
const pagesBeside = [
  "README.md",
  "AGENTS.md",
  "CHANGELOG.md",
  "CLAUDE.md",
  "CONTRIBUTING.md",
  "programs/README.md",
];

/** Every figure, with how it was measured. For those who measure: no page of the site. */
export const labBook = "test/bench/lab-book.md";

/** Every documentation page, relative to the repository's root; excludes `docs/.vitepress`. */
export function documentationPages(root: string): readonly string[] {
  const inDocs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md") && !path.startsWith(".vitepress"))
    .map((path) => `docs/${path}`);
  const ofPackages = globSync("packages/*/README.md", { cwd: root });
  return [...pagesBeside, ...ofPackages.toSorted(), ...inDocs.toSorted()];
}

/** The targets of all links and images outside code. */
export function linksIn(page: string): readonly string[] {
  const targets: string[] = [];
  withLinks(page, ({ whole, target }) => {
    targets.push(target);
    return whole;
  });
  return targets;
}

/** `page` with each link and image rewritten by `change`, which receives its text and target. */
export function withLinks(
  page: string,
  change: (link: {
    readonly whole: string;
    readonly text: string;
    readonly target: string;
  }) => string,
): string {
  return page.replace(codeOrLink, (whole, text?: string, target?: string) =>
    text === undefined || target === undefined ? whole : change({ whole, text, target }),
  );
}

/** The anchors that GitHub generates from a page's headings. */
export function anchorsIn(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutFences(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const base = slugOf(heading);
    let anchor = base;
    for (let copy = 1; anchors.has(anchor); copy++) anchor = `${base}-${copy}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** A heading's anchor, as GitHub writes it. */
export function slugOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, "")
    .replaceAll(" ", "-");
}

export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** The line number of its first line of code, from 1. */
  readonly line: number;
  /** Set by `<!-- file: NAME -->` before the block, so that other blocks can import it. */
  readonly file?: string;
}

export function codeBlocksIn(page: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let file: string | undefined;
  for (const found of page.matchAll(blockOrComment)) {
    const { named, language = "", code = "" } = found.groups ?? {};
    if (named !== undefined) file = named;
    else {
      const line = page.slice(0, found.index).split("\n").length + 1;
      blocks.push({ language, code, line, ...(file !== undefined && { file }) });
      file = undefined;
    }
  }
  return blocks;
}

const fence = /^```[^\n]*\n[^]*?^```$/gm;
// Code is tried first, so that no link is found in it; the text of a link may hold code.
const codeOrLink =
  /^```[^\n]*\n[^]*?^```$|`[^`\n]+`|!?\[((?:`[^`\n]*`|[^\][`]|\[[^\][]*\])*)\]\(([^()\s]+)\)/gm;
const blockOrComment =
  /<!-- file: (?<named>\S+) -->|^```(?<language>\w*)[^\n]*\n(?<code>[^]*?)^```$/gm;

function withoutFences(page: string): string {
  return page.replace(fence, "");
}
