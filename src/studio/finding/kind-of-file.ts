import { open } from "node:fs/promises";
import { serverFileKind } from "../../serve/files.ts";

export type FileKind = "result" | "artifact" | "state" | "feedback";

/**
 * What a file is, by its first bytes; `null` if it is none of ours. Our JSON files begin with their
 * format, our databases have a number in SQLite's header.
 */
export async function kindOfFile(path: string): Promise<FileKind | null> {
  const isJson = path.endsWith(".json");
  if (!isJson && !/\.(sqlite|db)$/.test(path)) return null;
  const head = await headOf(path);
  return isJson ? kindOfJson(head.toString("utf8")) : serverFileKind(head);
}

function kindOfJson(head: string): FileKind | null {
  const [, kind] = /^\s*\{\s*"format"\s*:\s*"espalier-(artifact|evaluation)\/\d/.exec(head) ?? [];
  if (kind === undefined) return null;
  // The rows of an evaluation that was stopped: no result.
  if (kind === "evaluation") return head.includes('"state":"stopped"') ? null : "result";
  return "artifact";
}

const headBytes = 256;

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
