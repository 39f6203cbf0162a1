import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe finds wrong, rule by rule. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<
    readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
  >("axe.run().then(({ violations }) => violations)");
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
