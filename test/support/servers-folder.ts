import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "./temporary-folder.ts";

/** A fresh folder with an `espalier.servers.json`. */
export async function serversFolder(
  servers: object,
): Promise<{ readonly path: string; readonly file: string } & AsyncDisposable> {
  const folder = await temporaryFolder();
  const file = join(folder.path, "espalier.servers.json");
  await writeFile(file, JSON.stringify({ format: "espalier-servers/1", ...servers }));
  return { ...folder, file };
}
