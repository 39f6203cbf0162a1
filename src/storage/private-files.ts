import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Files that may hold prompts or replies are accessible only to their owner. Existing files and
 * folders keep their modes.
 */
export const privateModes = { file: 0o600, folder: 0o700 } as const;

/** Creates the missing parts of a folder path, readable only by their owner. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: privateModes.folder });
}

/**
 * Creates a file with its folder, readable only by its owner, unless it exists. For libraries that
 * open files themselves, such as SQLite, which gives its side files the same mode.
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
