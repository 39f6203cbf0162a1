/** `npm run espalier -- COMMAND`: the command line from source, with the report's page. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";

const page = resolve(import.meta.dirname, "../src/report-page/built");
if (!existsSync(page)) {
  const { bundleReportPage } = await import("./build/bundle-report-page.ts");
  await bundleReportPage(page);
}
await import("../src/cli/bin.ts");
