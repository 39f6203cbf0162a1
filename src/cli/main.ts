import { createRequire } from "node:module";
import { defineCommand, runMain } from "citty";

/** Runs the command line; `rawArgs` comes without the name of the program. */
export async function main(rawArgs: string[]): Promise<void> {
  await runMain(command, { rawArgs });
}

// Not an import: the compiler would copy package.json into dist/, where it makes a package of its own.
const manifest: { version: string; description: string } = createRequire(import.meta.url)(
  "espalier/package.json",
);

const command = defineCommand({
  meta: { name: "espalier", version: manifest.version, description: manifest.description },
});
