/** Lints the package as npm packs it. */
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { scriptOptions } from "./support/script-options.ts";

scriptOptions({
  command: "npx tsx scripts/lint-package.ts",
  about: "Lints what npm would pack, and fails on any message.",
});

const { messages, pkg } = await publint({ strict: true, pack: "npm" });
// Only a checkout sets this condition, and only a checkout has the sources.
const found = messages.filter(({ path }) => path.at(-1) !== "espalier:source");
for (const message of found) console.error(formatMessage(message, pkg));
if (found.length > 0) process.exitCode = 1;
