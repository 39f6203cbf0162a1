import { writeFileSync } from "node:fs";
import { errorTable } from "./error-table.ts";

writeFileSync("docs/errors.md", errorTable());
