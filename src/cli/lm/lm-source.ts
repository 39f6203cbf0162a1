import { EspalierError } from "../../errors/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { LmServer, Servers } from "../../servers/index.ts";
import { keyOf, mockMark } from "../../servers/index.ts";
import { checkedAddresses, serverKey } from "../arguments/server-addresses.ts";

/** Where an LM is: at a server, or in this process. */
export type LmSource =
  | { readonly kind: "rehearsal" }
  | {
      readonly kind: "local";
      /** As `connectLocal` takes it; absent: the smallest. */
      readonly model?: string;
    }
  | {
      readonly kind: "server";
      /** Base URLs, and lists of them, see `serverList`. */
      readonly addresses: readonly [string, ...string[]];
      /** Absent: the server's only one. */
      readonly model?: string;
      readonly apiKey?: string;
      /** Maximum concurrent requests. @default the command's */
      readonly concurrency?: number;
      readonly price?: NonNullable<LmServer["price"]>;
    };

/**
 * Reads a reference to an LM: `rehearsal`, `local` or `local:MODEL`, a name from the servers file,
 * or `URL,URL...#MODEL`, where an address may also be `@FILE` or `dns+URL`.
 *
 * @param option where the reference was given, for the error
 * @param chosen a model named separately, which takes precedence
 * @throws EspalierError `usage-invalid`, `key-missing`
 */
export function lmSource(
  reference: string,
  {
    option,
    servers,
    model: chosen,
  }: {
    readonly option: string;
    readonly servers: Pick<Servers, "lms"> | undefined;
    readonly model?: string | undefined;
  },
): LmSource {
  if (reference === mockMark) return { kind: mockMark };
  const local = localModel(reference, chosen);
  if (local !== undefined) return local;
  const named = getOwn(servers?.lms ?? {}, reference);
  if (named !== undefined) {
    const { url, model, keyVariable, concurrency, price } = named;
    const [first = "", ...others] = [url].flat();
    return {
      kind: "server",
      addresses: [first, ...others],
      model: chosen ?? model,
      ...keyOf(keyVariable, `LM "${reference}"`, process.env),
      ...(concurrency !== undefined && { concurrency }),
      ...(price !== undefined && { price }),
    };
  }
  if (!/^@|\//.test(reference) && servers !== undefined)
    throw unknownLm(reference, option, servers);
  const [urls = "", ...fragment] = reference.split("#");
  const model = chosen ?? (fragment.length === 0 ? undefined : fragment.join("#"));
  return {
    kind: "server",
    addresses: checkedAddresses(urls, option),
    ...(model !== undefined && { model }),
    ...serverKey(),
  };
}

/** `local:MODEL`, or `local` with a model that is named separately. */
function localModel(reference: string, chosen: string | undefined): LmSource | undefined {
  const isBare = reference === "local";
  if (!isBare && !reference.startsWith("local:")) return undefined;
  const model = isBare ? chosen : reference.slice("local:".length);
  return { kind: "local", ...(model !== undefined && model !== "" && { model }) };
}

/** Nothing says which LM answers. */
export function noLm(servers?: Pick<Servers, "lms">): EspalierError {
  const names = Object.keys(servers?.lms ?? {});
  return new EspalierError({
    code: "usage-invalid",
    problem: "No LM is given",
    expected:
      names.length === 0
        ? "--lm URL, the base URL of an OpenAI-compatible server, or an LM in espalier.servers.json"
        : `--lm NAME, or "roles": { "answer": "NAME" } in the servers file, with one of ${names.join(", ")}`,
    fix: "To try it without a model, use mocks: --rehearsal. All results then say so.",
  });
}

function unknownLm(name: string, option: string, { lms }: Pick<Servers, "lms">): EspalierError {
  return new EspalierError({
    code: "usage-invalid",
    problem: `The servers file has no LM "${name}"`,
    where: option,
    expected: `${Object.keys(lms).join(", ") || "an LM in `lms`"}; or a base URL, \`local\` or \`rehearsal\``,
  });
}
