import { EspalierError } from "../../../../src/errors/index.ts";
import { withoutCredentials } from "../../../../src/internal/index.ts";

export interface RedisAddress {
  /** `redis://USER:PASSWORD@HOST:PORT/DATABASE` or, over TLS, `rediss://`. */
  readonly url: string;
  /** Where the URL has none. */
  readonly password?: string | undefined;
}

/**
 * The URL with the password. Parameters would be options of the driver, a password among them.
 *
 * @throws EspalierError `option-invalid`
 */
export function checkedUrl({ url, password = "" }: RedisAddress): string {
  const parsed = URL.parse(url);
  const isValid =
    parsed !== null &&
    /^rediss?:$/.test(parsed.protocol) &&
    parsed.host !== "" &&
    /^(?:\/\d*)?$/.test(parsed.pathname) &&
    [...parsed.searchParams.keys()].every((name) => name === "family");
  if (!isValid) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "The Redis URL is invalid",
      expected:
        "a URL such as redis://127.0.0.1:6379, or rediss://USER:PASSWORD@HOST:PORT/DATABASE over TLS",
      got: `"${withoutCredentials(url).replace(/\?.*/s, "?...")}"`,
    });
  }
  if (![parsed.username, parsed.password].every(isPercentEncoded)) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "The user or password in the Redis URL is not percent-encoded",
      expected: "%25 for %, %40 for @, or the password in ESPALIER_REDIS_PASSWORD",
      got: `"${withoutCredentials(url)}"`,
    });
  }
  if (parsed.password === "") parsed.password = encodeURIComponent(password);
  return parsed.href;
}

function isPercentEncoded(text: string): boolean {
  return !/%(?![\da-f]{2})/i.test(text);
}
