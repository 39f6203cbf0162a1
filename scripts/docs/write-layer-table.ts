import { readFileSync, writeFileSync } from "node:fs";
import { withLayerTable } from "./layer-table.ts";

writeFileSync("AGENTS.md", withLayerTable(readFileSync("AGENTS.md", "utf8")));
