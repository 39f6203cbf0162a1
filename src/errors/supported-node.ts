import { EspalierError } from "./espalier-error.ts";

// Runs when the package is imported. An older Node.js lacks SQLite and much of the language, and
// would say so in its own words, one after the other.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  throw new EspalierError({
    code: "node-too-old",
    problem: "This Node.js is too old for espalier",
    expected: "Node.js 22.18 or newer, Bun or Deno",
    got: `Node.js ${process.versions.node}`,
    fix: "Install a newer version from https://nodejs.org.",
  });
}
