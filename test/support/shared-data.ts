import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "vitest";

/**
 * A test that reads data kept beside the repository, in `../shared/data`. Where the file is absent
 * the test is reported as skipped, with the reason in its name.
 */
export function testWithSharedData(
  path: string,
  name: string,
  run: (file: string) => void | Promise<void>,
): void {
  const file = fileURLToPath(new URL(`../../../shared/data/${path}`, import.meta.url));
  if (existsSync(file)) {
    test(name, () => run(file));
  } else {
    test.skip(`${name} [SKIPPED: ../shared/data/${path} is not beside the repository]`, () => {});
  }
}
