/** Whether a call failed because there is no such file or folder, and not because it cannot be had. */
export function isNoSuchFile(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "ENOENT" || error.code === "ENOTDIR")
  );
}
