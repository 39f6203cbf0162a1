import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/**
 * What may hold prompts or replies is for its owner only. Files and folders that exist keep their
 * modes.
 */
export const privateModes = { file: 0o600, folder: 0o700 } as const;

/** Creates what is missing of a folder, readable for its owner only. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: privateModes.folder });
}

/**
 * Creates a file with its folder, readable for its owner only, unless it exists: for what opens
 * files by itself, as SQLite does, which gives the files beside its own the same mode.
 */
export function makePrivateFile(path: string): void {
  makePrivateFolder(dirname(path));
  try {
    closeSync(openSync(path, "wx", privateModes.file));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return;
    throw error;
  }
}
