import { credentialsIn, secretMask, withoutCredentials } from "../../internal/index.ts";

/** The origin of a reply, in a form that an error message may show. */
export interface ReplyOrigin {
  /** The server's address without user and password. */
  readonly where: string;
  /**
   * Removes what only the server was meant to read. Servers quote what they were sent, and journals
   * and traces keep faults. Mask a text before cutting it: half a key is still a secret.
   */
  readonly masked: (text: string) => string;
}

export function replyOrigin({
  baseUrl,
  apiKey = "",
  headers = {},
}: {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}): ReplyOrigin {
  const bearer = apiKey === "" ? [] : [`Bearer ${apiKey}`];
  // Servers also quote the token without its scheme.
  const sent = [...bearer, ...Object.values(headers)].flatMap((value) => [
    value,
    value.split(" ").at(-1) ?? "",
  ]);
  return {
    where: withoutCredentials(baseUrl),
    masked: secretMask([...sent, ...credentialsIn(baseUrl)]),
  };
}

/**
 * The origin of replies that come through a user's own client, whose key may change between calls.
 */
export function clientOrigin(client: {
  readonly baseURL: string;
  readonly apiKey: string | null;
}): ReplyOrigin {
  const now = (): ReplyOrigin =>
    replyOrigin({ baseUrl: client.baseURL, apiKey: client.apiKey ?? undefined });
  return { where: now().where, masked: (text) => now().masked(text) };
}
