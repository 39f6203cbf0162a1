import { resolve } from "node:path";
import { bundleReportPage } from "../../scripts/build/bundle-report-page.ts";

/** Once before all tests, so that none sees a page of older sources. */
export async function setup(): Promise<void> {
  await bundleReportPage(resolve(import.meta.dirname, "../../src/report-page/built"));
}
