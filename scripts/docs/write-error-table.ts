import { writeFileSync } from "node:fs";
import { scriptOptions } from "../support/script-options.ts";
import { errorTable } from "./error-table.ts";

scriptOptions({
  command: "npm run docs:errors",
  about: "Writes docs/errors.md from the table of error codes.",
});
writeFileSync("docs/errors.md", errorTable());
