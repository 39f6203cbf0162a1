import { resolve } from "node:path";
import { bundleReportPage } from "./build/bundle-report-page.ts";
import { scriptOptions } from "./support/script-options.ts";

const root = resolve(import.meta.dirname, "..");
const {
  positionals: [folder = "src/report-page/built"],
} = scriptOptions({
  command: "npm run bundle:page",
  about: "Empties FOLDER (default src/report-page/built) and bundles a report's page into it.",
  positionals: "[FOLDER]",
});
await bundleReportPage(resolve(root, folder));
