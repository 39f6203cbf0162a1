#!/usr/bin/env node
// This file must run on an old Node.js to report that it is too old, so it imports nothing before
// the check.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  void import("./index.ts").then(({ main }) => main(process.argv.slice(2)));
} else {
  console.error(
    `espalier needs Node.js 22.18 or newer; this is ${process.versions.node}. Install a newer version from https://nodejs.org.`,
  );
  process.exitCode = 1;
}
