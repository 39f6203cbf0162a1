/** Asks the studio's server; throws an `Error` whose message it wrote for a reader. */
export async function asked<TAnswer>(path: string, init?: RequestInit): Promise<TAnswer> {
  const response = await fetch(path, init).catch(() => {
    throw new Error("The studio does not respond: its process may have ended.");
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer as TAnswer;
  const { error } = answer as { readonly error?: { readonly message?: string } };
  throw new Error(
    error?.message ?? `The studio refused the request with status ${response.status}.`,
  );
}

/** Sends a JSON value, as only the studio's own pages may, and gets its answer. */
export async function posted<TAnswer>(path: string, value: object): Promise<TAnswer> {
  const headers = { "content-type": "application/json" };
  return asked(path, { method: "POST", headers, body: JSON.stringify(value) });
}

/** Asks a run to end, by the file `stop` in its folder. */
export async function stopRun(run: string): Promise<void> {
  await posted("/api/stop", { run });
}

/** The page of some sources beside each other. */
export function reportAddress(ids: readonly string[]): string {
  return `/report?${new URLSearchParams(ids.map((id) => ["source", id])).toString()}`;
}

/** What the second source changes of the first, as texts and parameters. */
export function differenceAddress(before: string, after: string): string {
  return `${reportAddress([before, after])}&show=difference`;
}
