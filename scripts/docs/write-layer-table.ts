import { readFileSync, writeFileSync } from "node:fs";
import { scriptOptions } from "../support/script-options.ts";
import { withLayerTable } from "./layer-table.ts";

scriptOptions({
  command: "npm run docs:layers",
  about: "Writes the table of layers into AGENTS.md.",
});
writeFileSync("AGENTS.md", withLayerTable(readFileSync("AGENTS.md", "utf8")));
