import { EspalierError, messageOf } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";
import { systemClock, withoutCredentials } from "../../internal/index.ts";
import { readFileWithin, readFileWithinSync } from "../../storage/index.ts";

/** The servers behind some addresses, as of now. */
export interface ServerList {
  /**
   * Base URLs, each once, in the order of the addresses. A file is read anew each time, a name is
   * resolved anew after five seconds.
   *
   * @throws EspalierError `file-missing`, `file-malformed`, `option-invalid`
   */
  read(): Promise<readonly [string, ...string[]]>;
}

/** The IPv4 addresses of a host, or else its IPv6 addresses. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** Whether the servers behind an address may change: `@FILE`, or `dns+http://HOST:PORT/v1`. */
export function isListAddress(address: string): boolean {
  return address.startsWith("@") || address.startsWith(dnsMark);
}

/** What an address must look like. */
export const addressForms =
  "comma-separated base URLs such as http://127.0.0.1:8000/v1, @FILE with one on each line, or dns+http://NAME:8000/v1 for all IP addresses of a name";

/** Whether it is a base URL, `@FILE`, or `dns+http://HOST:PORT/v1`. The file is not looked at. */
export function isServerAddress(address: string): boolean {
  return address.startsWith("@") ? address.length > 1 : isUrl(address);
}

/**
 * Reads addresses of servers: base URLs; `@FILE`, whose lines are base URLs or `dns+` addresses,
 * with blank lines and lines that begin with `#` left out; and `dns+http://HOST:PORT/v1`, where
 * each IP address of the host is a server. URLs of lists hold no credentials.
 */
export function serverList(
  addresses: readonly string[],
  { lookup = lookupHost, clock = systemClock }: { lookup?: Lookup; clock?: Clock } = {},
): ServerList {
  const resolved = new Map<string, { readonly urls: readonly string[]; readonly atMs: number }>();
  const resolve = async (address: string): Promise<readonly string[]> => {
    const known = resolved.get(address);
    if (known !== undefined && clock.now() - known.atMs < resolvedForMs) return known.urls;
    const urls = await urlsOfName(address, lookup);
    resolved.set(address, { urls, atMs: clock.now() });
    return urls;
  };
  const urlsOf = async (address: string): Promise<readonly string[]> => {
    if (address.startsWith("@")) {
      const path = address.slice(1);
      const content = await readFileWithin(path, maxBytes).catch((error: unknown) =>
        unreadable(path, error),
      );
      return (await Promise.all(linesOf(content, path).map(urlsOf))).flat();
    }
    return address.startsWith(dnsMark) ? resolve(address) : [address];
  };
  return {
    read: async () => {
      const [first, ...others] = new Set((await Promise.all(addresses.map(urlsOf))).flat());
      if (first !== undefined) return [first, ...others];
      throw new EspalierError({
        code: "option-invalid",
        problem: "There is no server",
        expected: addressForms,
        got: "no address",
      });
    },
  };
}

/**
 * One URL that reaches a server behind the address, for requests that any may answer. Resolves no
 * name.
 *
 * @throws EspalierError `file-missing`, `file-malformed`
 */
export function anyUrlOf(address: string): string {
  if (address.startsWith(dnsMark)) return address.slice("dns+".length);
  if (!address.startsWith("@")) return address;
  const path = address.slice(1);
  const [first = ""] = linesOf(contentNow(path), path);
  return anyUrlOf(first);
}

const dnsMark = "dns+http://";
const resolvedForMs = 5_000;
const maxBytes = 2 ** 20;

function isUrl(text: string): boolean {
  const plain = text.startsWith(dnsMark) ? text.slice("dns+".length) : text;
  return /^https?:\/\//.test(plain) && URL.canParse(plain);
}

function contentNow(path: string): string {
  try {
    return readFileWithinSync(path, maxBytes);
  } catch (error) {
    return unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): never {
  throw new EspalierError({
    code: "file-missing",
    problem: "Cannot read the list of servers",
    where: path,
    got: messageOf(error),
    cause: error,
  });
}

/** At least one. */
function linesOf(content: string, path: string): readonly string[] {
  const lines = content
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const wrong = lines.find((line) => !isUrl(line) || withoutCredentials(line) !== line);
  if (lines.length > 0 && wrong === undefined) return lines;
  throw new EspalierError({
    code: "file-malformed",
    problem: "A list of servers cannot be used",
    where: path,
    expected: "one base URL on each line, such as http://127.0.0.1:8000/v1, without credentials",
    got: wrong === undefined ? "no line" : `"${withoutCredentials(wrong)}"`,
  });
}

async function urlsOfName(address: string, lookup: Lookup): Promise<readonly string[]> {
  const url = new URL(address.slice("dns+".length));
  try {
    const found = await lookup(url.hostname);
    return found.toSorted().map((ip) => {
      const one = new URL(url);
      one.hostname = ip.includes(":") ? `[${ip}]` : ip;
      return one.href;
    });
  } catch (error) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "The servers' host name cannot be resolved",
      where: withoutCredentials(address),
      got: messageOf(error),
      cause: error,
    });
  }
}

/** As the system resolves names, its hosts file included. */
async function lookupHost(host: string): Promise<readonly string[]> {
  const { lookup: systemLookup } = await import("node:dns/promises");
  const of = async (family: 4 | 6): Promise<readonly string[]> =>
    (await systemLookup(host, { all: true, family })).map(({ address }) => address);
  return of(4).catch(() => of(6));
}
