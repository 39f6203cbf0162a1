import { EspalierError } from "../../errors/index.ts";
import { credentialsIn, withoutCredentials } from "../../internal/index.ts";
import type { ServerInfo } from "../../lm/index.ts";

/** Parses the URLs of `--lm URL,URL,...`; checks each and drops duplicates. */
export function checkedUrls(given: string): readonly [string, ...string[]] {
  const [first = "", ...others] = new Set(given.split(",").map((url) => url.trim()));
  for (const url of [first, ...others]) {
    if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) continue;
    throw new EspalierError({
      code: "usage-invalid",
      problem: "Invalid value for --lm",
      expected: "`rehearsal`, or base URLs such as http://127.0.0.1:8000/v1, separated by commas",
      got: `"${withoutCredentials(given)}"`,
    });
  }
  return [first, ...others];
}

/** Reads the API key. No other code reads it. */
export function serverKey(): { readonly apiKey?: string } {
  const apiKey = process.env["ESPALIER_API_KEY"];
  return apiKey === undefined ? {} : { apiKey };
}

/** The secrets used to reach these servers, which must never be written anywhere. */
export function serverSecrets(baseUrls: readonly string[]): readonly string[] {
  const { apiKey } = serverKey();
  return [...(apiKey === undefined ? [] : [apiKey]), ...baseUrls.flatMap(credentialsIn)];
}

/**
 * The server's model if it offers exactly one.
 *
 * @param option with which the command takes a model's name
 * @throws EspalierError `usage-invalid`
 */
export function onlyModel({ models }: ServerInfo, url: string, option = "model"): string {
  const [first, ...others] = models;
  if (first !== undefined && others.length === 0) return first.id;
  throw new EspalierError({
    code: "usage-invalid",
    problem: "The server does not offer exactly one model",
    where: withoutCredentials(url),
    expected: `--${option} NAME`,
    got: models.map(({ id }) => id).join(", ") || "no models",
  });
}
