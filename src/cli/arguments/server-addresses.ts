import { EspalierError } from "../../errors/index.ts";
import { credentialsIn, withoutCredentials } from "../../internal/index.ts";
import type { ServerInfo } from "../../lm/index.ts";
import { addressForms, isServerAddress } from "../../lm/files.ts";

/**
 * Parses `URL,URL,...`, where an address may also be `@FILE` or `dns+URL`; checks each and drops
 * duplicates. Reads no file.
 *
 * @param option where it was given, for the error
 */
export function checkedAddresses(given: string, option = "--lm"): readonly [string, ...string[]] {
  const [first = "", ...others] = new Set(given.split(",").map((url) => url.trim()));
  for (const address of [first, ...others]) {
    if (isServerAddress(address)) continue;
    throw new EspalierError({
      code: "usage-invalid",
      problem: `Invalid value for ${option}`,
      expected: `${addressForms}; \`rehearsal\`; or the name of an LM in the servers file`,
      got: `"${withoutCredentials(given)}"`,
    });
  }
  return [first, ...others];
}

/** The key of servers that the command line names. Those of the servers file have their own. */
export function serverKey(): { readonly apiKey?: string } {
  const apiKey = process.env["ESPALIER_API_KEY"];
  // A missing secret is an empty variable in many systems of continuous integration.
  return apiKey === undefined || apiKey.trim() === "" ? {} : { apiKey };
}

/** The secrets used to reach these servers, which must never be written anywhere. */
export function serverSecrets({
  apiKey,
  baseUrls,
}: {
  readonly apiKey: string | undefined;
  readonly baseUrls: () => readonly string[];
}): readonly string[] {
  return [...(apiKey === undefined ? [] : [apiKey]), ...baseUrls().flatMap(credentialsIn)];
}

/**
 * The server's model if it offers exactly one.
 *
 * @param wanted how the command takes a model's name
 * @throws EspalierError `usage-invalid`
 */
export function onlyModel({ models }: ServerInfo, url: string, wanted = "--model NAME"): string {
  const [first, ...others] = models;
  if (first !== undefined && others.length === 0) return first.id;
  throw new EspalierError({
    code: "usage-invalid",
    problem: "The server does not offer exactly one model",
    where: withoutCredentials(url),
    expected: wanted,
    got: models.map(({ id }) => id).join(", ") || "no models",
  });
}
