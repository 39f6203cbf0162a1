/** `npm run espalier -- COMMAND`: the command line from source, with its pages. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";

const source = resolve(import.meta.dirname, "../src");
const built = ["report-page/built", "serve/routes/page/browser"];
if (!built.every((folder) => existsSync(resolve(source, folder)))) {
  const { bundlePages } = await import("./build/bundle-pages.ts");
  await bundlePages(source);
}
await import("../src/cli/bin.ts");
