#!/usr/bin/env node
// This file must run on an old Node.js to report that it is too old, so it imports nothing before
// the check.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  let isEnded = false;
  // Once nothing keeps it, Node.js ends with 0, even where a command still waits.
  process.once("beforeExit", () => {
    if (isEnded) return;
    console.error(
      "espalier: The command has no result: it waits for something that can no longer happen. Perhaps a promise in the program never settles.",
    );
    process.exitCode ||= 1;
  });
  const run = async (): Promise<void> => {
    const { main } = await import("./index.ts");
    await main(process.argv.slice(2));
    isEnded = true;
  };
  void run();
} else {
  console.error(
    `espalier needs Node.js 22.18 or newer; this is ${process.versions.node}. Install a newer version from https://nodejs.org.`,
  );
  process.exitCode = 1;
}
