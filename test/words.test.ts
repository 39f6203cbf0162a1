import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "..");

interface RetiredWord {
  readonly pattern: RegExp;
  /** What to write. */
  readonly instead: string;
  /** Code may not use it as a name; comments and docs may use it as a word. */
  readonly isName?: boolean;
}

const retired: readonly RetiredWord[] = [
  { pattern: /\bmost[A-Z]\w*/, instead: "a name with `max`", isName: true },
  { pattern: /\b(?:least|fewest)[A-Z]\w*/, instead: "a name with `min`", isName: true },
  { pattern: /\b\w*(?:[tT]old\b|told(?=[A-Z]))/, instead: "observed, reported", isName: true },
  {
    pattern: /\bplace: number\b|\w\(\([^()]*, place\) =>|\[place, .*\.entries\(\)/,
    instead: "index",
    isName: true,
  },
  { pattern: /fruitless/i, instead: "failed, empty" },
  { pattern: /\bin vain\b|InVain\b/i, instead: "without result" },
  { pattern: /\blevers?\b|Levers?\b/, instead: "dimension" },
  {
    pattern: /\bchang\w+ the world\b|TheWorld|WorldChanges|world-changes/,
    instead: "side effects",
  },
  { pattern: /\bstand-ins?\b|[sS]tandIns?(?=[A-Z]|\b)/, instead: "mock, placeholder, proxy" },
  { pattern: /\bhangs? on\b/, instead: "depends on" },
  { pattern: /\bwho starts\b/, instead: "newcomers" },
  { pattern: /\b[Nn]obody\b/, instead: "none, no one, or the thing itself" },
];

/** Texts that must stay as they are. A path ends in a slash if it is of a folder. */
const exceptions: readonly (readonly [path: string, word: RegExp, reason: string])[] = [
  ["src/optimizer/mipro-v2/", /mostPromising/, "The best of several, not a limit."],
  ["src/optimizer/task/program-space.ts", /told/, "A prompt: measured as it is."],
  ["packages/rehearsal/src/", /told|nobody/, "Words that the rehearsal LM looks for in texts."],
  ["docs/benchmarks.md", /levers?/, "The names of shapes that were measured."],
];

const files = [
  "src/**/*.ts",
  "packages/*/src/**/*.{ts,tsx}",
  "packages/*/README.md",
  "docs/**/*.md",
  "README.md",
].flatMap((pattern) => globSync(pattern, { cwd: repository }));

test("code and docs use no retired word", () => {
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.toSorted().flatMap((file) => {
    const isDocs = file.endsWith(".md");
    const lines = readFileSync(resolve(repository, file), "utf8").split("\n");
    return lines.flatMap((line, index) => {
      const isName = !isDocs && !/^\s*(?:\/?\*|\/\/)/.test(line);
      return retired.flatMap((word) => {
        const [match] = (word.isName === true && !isName ? null : word.pattern.exec(line)) ?? [];
        if (match === undefined || isException(file, match)) return [];
        return [`${file}:${index + 1} has "${match}". Use instead: ${word.instead}.`];
      });
    });
  });
  expect(found).toEqual([]);
});

test.each(exceptions)("%s still has %s: %s", (path, word) => {
  const held = files.filter((file) => file.startsWith(path));
  expect(held.some((file) => word.test(readFileSync(resolve(repository, file), "utf8")))).toBe(
    true,
  );
});

function isException(file: string, match: string): boolean {
  return exceptions.some(([path, word]) => file.startsWith(path) && word.test(match));
}
