import { globSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** Deletes every declaration file below `folder` that no entry, a path or a pattern, reaches. */
export function removeUnreachedTypes(folder: string, entries: readonly string[]): void {
  const reached = new Set<string>();
  const waiting = globSync([...entries], { cwd: folder });
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const text = readFileSync(join(folder, file), "utf8");
    for (const [, path = ""] of text.matchAll(/(?:from |import\(|import )"([.][^"]+)[.][jt]s"/g)) {
      waiting.push(join(dirname(file), `${path}.d.ts`));
    }
  }
  for (const file of globSync("**/*.d.ts", { cwd: folder })) {
    if (!reached.has(file)) rmSync(join(folder, file));
  }
}
