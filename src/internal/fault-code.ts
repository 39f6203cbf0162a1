/** The code of a thrown error: Node's, or that of a server's refusal; empty if it has none. */
export function faultCode(thrown: unknown): string {
  const code = (thrown as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** Is this Node's code for a certificate that it rejects, or for a peer that does not speak TLS? */
export function isTlsFault(code: string): boolean {
  return /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|CERT_|ERR_TLS_|ERR_SSL_)/.test(code);
}
