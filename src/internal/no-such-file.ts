/** Whether a call failed because a file or folder does not exist, rather than being unreadable. */
export function isNoSuchFile(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "ENOENT" || error.code === "ENOTDIR")
  );
}
