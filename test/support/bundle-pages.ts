import { resolve } from "node:path";
import { bundlePages } from "../../scripts/build/bundle-pages.ts";

/** Once before all tests, so that none sees a page of older sources. */
export async function setup(): Promise<void> {
  await bundlePages(resolve(import.meta.dirname, "../../src"));
}
