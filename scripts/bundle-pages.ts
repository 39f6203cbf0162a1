import { resolve } from "node:path";
import { bundlePages } from "./build/bundle-pages.ts";
import { scriptOptions } from "./support/script-options.ts";

const root = resolve(import.meta.dirname, "..");
const {
  positionals: [folder = "src"],
} = scriptOptions({
  command: "npm run bundle:pages",
  about:
    "Bundles the pages of packages/pages into FOLDER (default src), each where espalier reads it.",
  positionals: "[FOLDER]",
});
await bundlePages(resolve(root, folder));
