import type { Alias, Registry } from "../../artifact/index.ts";

/** For commands that move an alias. */
export const aliasInMlflowArguments = {
  mlflow: {
    type: "string",
    description: "Move the alias of the version's prompts on this MLflow server too",
    valueHint: "URL",
  },
} as const;

/** Where the registry has the alias now. */
export interface AliasPlace {
  readonly registry: Registry;
  readonly program: string;
  readonly alias: Alias;
  /** The version that had it. */
  readonly before?: string | null | undefined;
}

/**
 * Opened before the alias moves: what is missing fails before anything has changed.
 *
 * @returns moves the alias of the program's prompts on the MLflow server; without a server, nothing
 * @throws EspalierError `usage-invalid`, `option-invalid`
 */
export async function aliasInMlflow(
  url: string | undefined,
): Promise<(place: AliasPlace) => Promise<void>> {
  if (url === undefined) return async () => {};
  const { openMlflow } = await import("../load/open-mlflow.ts");
  const { server, tracking } = await openMlflow(url, { option: "--mlflow" });
  return (place) => tracking.alignPrompts(server, place);
}
