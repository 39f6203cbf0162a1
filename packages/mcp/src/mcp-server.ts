import { EspalierError } from "../../../src/errors/index.ts";
import { credentialsIn, secretMask } from "../../../src/internal/index.ts";

/** How to reach a server of the Model Context Protocol. */
export type McpServer =
  | {
      /** A program that speaks the protocol over its standard input and output. */
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      /** A server of the streamable HTTP transport. */
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A fault of the server itself; shows neither credentials nor the arguments of its command. */
export function mcpFault(
  server: McpServer,
  problem: string,
  { got, cause }: { readonly got: string; readonly cause?: Error },
): EspalierError {
  return new EspalierError({
    code: "tool-server-failed",
    problem,
    where: placeOf(server),
    got,
    fix: "Check that its command runs, or that its URL responds.",
    ...(cause && { cause }),
  });
}

/** What messages show of it: its address without credentials and query, or its command alone. */
export function placeOf(server: McpServer): string {
  if (!("url" in server)) return server.command;
  return server.url.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//");
}

/** Takes out of a text what is secret about the server. */
export function hiding(server: McpServer): (text: string) => string {
  if ("url" in server) {
    const { url, headers = {} } = server;
    const asked = [...(URL.parse(url)?.searchParams.values() ?? [])];
    // Of "Bearer KEY", the key alone too.
    const sent = Object.values(headers).flatMap((value) => [value, ...value.split(" ")]);
    const masked = secretMask([...credentialsIn(url), ...asked, ...sent]);
    return (text) => masked(text.replaceAll(url, placeOf(server)));
  }
  const { args = [], env = {} } = server;
  return secretMask([...Object.values(env), ...args.flatMap(secretsIn)]);
}

/** Flags, and paths of files and packages, stay: they tell why a server does not start. */
function secretsIn(argument: string): readonly string[] {
  const value = /^(?:--[\w-]+=|-\w=?)(.*)$/s.exec(argument)?.[1] ?? argument;
  const isPath = /^(?:-|@|\.{0,2}[\\/]|[A-Za-z]:[\\/])|\.(?:[cm]?[jt]s|py)$/.test(value);
  return isPath ? [] : [value, ...credentialsIn(value)];
}
