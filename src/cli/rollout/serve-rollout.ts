import { join } from "node:path";
import { EspalierError } from "../../errors/index.ts";
import type { RolloutSettings, Serving, ServeState } from "../../serve/index.ts";
import { openServeState } from "../../serve/files.ts";

/** Arguments of a server that tries candidates, and its state. */
export const rolloutArguments = {
  canary: {
    type: "string",
    description: "Share of users and conversations that get the candidate's answers: 0.1 or 10%",
    valueHint: "SHARE",
  },
  shadow: {
    type: "string",
    description: "Share of other requests that the candidate also answers, unseen by users",
    valueHint: "SHARE",
  },
  state: {
    type: "string",
    description:
      "Folder for state that survives a restart, or `none`; defaults to .espalier/serve/NAME",
    valueHint: "FOLDER",
  },
} as const;

/** The folder of `--state`, by default the serving's own; `undefined` for `none`. */
function stateFolder(
  { state }: { readonly state?: string | undefined },
  name: string,
): string | undefined {
  return state === "none" ? undefined : (state ?? join(".espalier", "serve", name));
}

/** Path of the state file in a state folder. */
export function stateFile(folder: string): string {
  return join(folder, "state.sqlite");
}

/**
 * Rollout settings from the command line; none without a registry.
 *
 * @throws EspalierError `usage-invalid`, `serve-state-unusable`
 */
export function serveRollout(
  given: {
    readonly artifacts?: string | undefined;
    readonly canary?: string | undefined;
    readonly shadow?: string | undefined;
    readonly state?: string | undefined;
  },
  { name }: Pick<Serving, "name">,
): { readonly state?: ServeState; readonly rollout?: RolloutSettings } {
  const { canary, shadow } = given;
  const isTried = canary !== undefined || shadow !== undefined;
  const folder = stateFolder(given, name);
  if (isTried && (given.artifacts === undefined || folder === undefined)) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: `--${canary === undefined ? "shadow" : "canary"} requires a registry and a state folder`,
      expected: "--artifacts FOLDER, without --state none",
    });
  }
  const rollout = {
    ...(canary !== undefined && { canary: share("canary", canary) }),
    ...(shadow !== undefined && { shadow: share("shadow", shadow) }),
  };
  if (given.artifacts === undefined || folder === undefined) return {};
  return { state: openServeState(stateFile(folder)), ...(isTried && { rollout }) };
}

/** Accepts `0.1` and `10%` alike; the server checks each option's own bounds. */
function share(option: string, given: string): number {
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(given.trim()) ?? [];
  const value = Number(digits) / (percent === "%" ? 100 : 1);
  if (value >= 0 && value <= 1) return value;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `Invalid value for --${option}`,
    expected: "a share such as 0.1 or 10%",
    got: `"${given}"`,
  });
}
