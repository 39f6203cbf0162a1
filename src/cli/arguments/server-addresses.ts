import { EspalierError } from "../../errors/index.ts";
import { credentialsIn, withoutCredentials } from "../../internal/index.ts";
import type { ServerInfo } from "../../lm/index.ts";

/** The URLs of `--lm URL,URL,...`, each checked and none twice. */
export function checkedUrls(given: string): readonly [string, ...string[]] {
  const [first = "", ...others] = new Set(given.split(",").map((url) => url.trim()));
  for (const url of [first, ...others]) {
    if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) continue;
    throw new EspalierError({
      code: "usage-invalid",
      problem: "--lm cannot take this value",
      expected: "`rehearsal`, or base URLs such as http://127.0.0.1:8000/v1, between commas",
      got: `"${withoutCredentials(given)}"`,
    });
  }
  return [first, ...others];
}

/** The key is read here, at the edge, and nowhere else. */
export function serverKey(): { readonly apiKey?: string } {
  const apiKey = process.env["ESPALIER_API_KEY"];
  return apiKey === undefined ? {} : { apiKey };
}

/** What must not be written anywhere of how these servers are reached. */
export function serverSecrets(baseUrls: readonly string[]): readonly string[] {
  const { apiKey } = serverKey();
  return [...(apiKey === undefined ? [] : [apiKey]), ...baseUrls.flatMap(credentialsIn)];
}

export function onlyModel({ models }: ServerInfo, url: string): string {
  const [first, ...others] = models;
  if (first !== undefined && others.length === 0) return first.id;
  throw new EspalierError({
    code: "usage-invalid",
    problem: "The server has more than one model, or none",
    where: withoutCredentials(url),
    expected: "--model NAME",
    got: models.map(({ id }) => id).join(", ") || "no models",
  });
}
