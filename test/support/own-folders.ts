import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A global setup: temporary files, the home folder and compiled code of this run of the tests lie
 * in one folder of its own, which is removed at its end. `own-working-folder.ts` adds a working
 * folder for each test file. Installations that outlive a run (`ESPALIER_TEST_CACHE`) lie
 * elsewhere.
 */
export function setup(): () => void {
  // Short, since sockets lie in it: their paths have at most 107 bytes.
  const folder = mkdtempSync(join(tmpdir(), "et-"));
  // Some tests start processes of another account.
  chmodSync(folder, 0o755);
  const inherited = { ...process.env };
  const own = { TMPDIR: "tmp", HOME: "home", NODE_COMPILE_CACHE: "compiled" };
  for (const [variable, name] of Object.entries(own)) {
    const path = join(folder, name);
    mkdirSync(path);
    process.env[variable] = path;
  }
  return () => {
    for (const variable of Object.keys(own)) {
      const before = inherited[variable];
      if (before === undefined) delete process.env[variable];
      else process.env[variable] = before;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}
