import { credentialsIn, secretMask, withoutCredentials } from "../../internal/index.ts";

/** Where a reply came from, as a fault may say it. */
export interface ReplyOrigin {
  /** The server's address, without user and password. */
  readonly where: string;
  /**
   * Takes out what only the server was to read. Servers quote what they were sent, and faults are
   * kept in journals and traces. Mask before a text is cut: half a key is still a secret.
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
  // Of a scheme and a token, the token alone is quoted too.
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
 * The origin of replies that come through a user's own client, whose key may change from call to
 * call.
 */
export function clientOrigin(client: {
  readonly baseURL: string;
  readonly apiKey: string | null;
}): ReplyOrigin {
  const now = (): ReplyOrigin =>
    replyOrigin({ baseUrl: client.baseURL, apiKey: client.apiKey ?? undefined });
  return { where: now().where, masked: (text) => now().masked(text) };
}
