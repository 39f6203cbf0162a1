import { join } from "node:path";
import { EspalierError } from "../../errors/index.ts";
import type { RolloutSettings, Serving, ServeState } from "../../serve/index.ts";
import { openServeState } from "../../serve/files.ts";

/** Arguments of a server that tries candidates, and remembers what it last served. */
export const rolloutArguments = {
  canary: {
    type: "string",
    description: "Share of users and conversations that the candidate answers: 0.1 or 10%",
    valueHint: "SHARE",
  },
  shadow: {
    type: "string",
    description: "Share of the others whose question the candidate answers too, unseen",
    valueHint: "SHARE",
  },
  alpha: {
    type: "string",
    description: "Most that is risked of rolling back a candidate that is not worse",
    valueHint: "P",
    default: "0.05",
  },
  tolerance: {
    type: "string",
    description: "By how much a candidate's mean score may be below the production's",
    valueHint: "SCORE",
    default: "0",
  },
  "key-share": {
    type: "string",
    description:
      "Most that one of several API keys may weigh in a trial, from 50% on; 100%: without a bound",
    valueHint: "SHARE",
    default: "0.5",
  },
  state: {
    type: "string",
    description:
      "What outlives a restart: rollouts, versions last served; or `none`; default .espalier/serve/NAME",
    valueHint: "FOLDER",
  },
} as const;

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
    readonly alpha: string;
    readonly tolerance: string;
    readonly "key-share": string;
    readonly state?: string | undefined;
  },
  { name }: Pick<Serving, "name">,
): { readonly state?: ServeState; readonly rollout?: RolloutSettings } {
  const { canary, shadow } = given;
  const isTried = canary !== undefined || shadow !== undefined;
  const folder = given.state ?? join(".espalier", "serve", name);
  if (isTried && (given.artifacts === undefined || folder === "none")) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: `--${canary === undefined ? "shadow" : "canary"} needs candidates, and a place to count in`,
      expected: "--artifacts FOLDER, and no --state none",
    });
  }
  const rollout = {
    ...(canary !== undefined && { canary: share("canary", canary) }),
    ...(shadow !== undefined && { shadow: share("shadow", shadow) }),
    alpha: share("alpha", given.alpha),
    tolerance: share("tolerance", given.tolerance),
    keyShare: share("key-share", given["key-share"]),
  };
  if (given.artifacts === undefined || folder === "none") return {};
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
