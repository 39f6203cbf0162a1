/** The message of anything thrown, without the error's name. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
