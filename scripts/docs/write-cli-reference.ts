import { writeFileSync } from "node:fs";
import { scriptOptions } from "../support/script-options.ts";
import { cliReference } from "./cli-reference.ts";

scriptOptions({
  command: "npm run docs:cli",
  about: "Writes docs/reference/cli.md from the definitions of the commands.",
});
writeFileSync("docs/reference/cli.md", await cliReference());
