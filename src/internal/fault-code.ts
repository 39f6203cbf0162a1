/** The code of a thrown error: Node's, or that of a server's refusal; empty if it has none. */
export function faultCode(thrown: unknown): string {
  const code = (thrown as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** Is this Node's code for a certificate that it rejects, or for a peer that does not speak TLS? */
export function isTlsFault(code: string): boolean {
  return /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|CERT_|ERR_TLS_|ERR_SSL_)/.test(code);
}

export interface Advice {
  readonly problem: string;
  readonly fix: string;
}

/**
 * What is wrong with a server's certificate, or that it does not speak TLS; `undefined` for any
 * other fault. Asking again does not help.
 *
 * @param server part of a sentence
 * @param plain how a port without TLS is asked: `http://`
 */
export function tlsAdvice(thrown: unknown, server: string, plain: string): Advice | undefined {
  const code = faultCode(thrown);
  const isPlain =
    /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(code) ||
    // `node:https` names the reason in its message alone.
    (code === "EPROTO" && /wrong version number|packet length too long/.test(String(thrown)));
  if (isPlain) {
    return {
      problem: `The port of ${server} does not speak TLS`,
      fix: `Use ${plain}, or the port that speaks TLS.`,
    };
  }
  const certificate = `The certificate of ${server}`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return {
      problem: `${certificate} is for another host`,
      fix: "Use the host name that it was issued for.",
    };
  }
  if (code === "CERT_HAS_EXPIRED") {
    return { problem: `${certificate} has expired`, fix: "Renew it on the server." };
  }
  if (code === "CERT_NOT_YET_VALID") {
    return {
      problem: `${certificate} is not valid yet`,
      fix: "Set the clocks of both machines, or renew it.",
    };
  }
  if (!/^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|CERT_|INVALID_CA|INVALID_PURPOSE)/.test(code)) {
    return undefined;
  }
  return {
    problem: `${certificate} is not trusted`,
    fix: "Set the environment variable NODE_EXTRA_CA_CERTS to a file with the certificate of the authority that signed it; if the system trusts it, set NODE_OPTIONS=--use-system-ca.",
  };
}

/** Whether a call failed because a file or folder does not exist, rather than being unreadable. */
export function isNoSuchFile(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "ENOENT" || error.code === "ENOTDIR")
  );
}
