/** Is this Node's code for a certificate that it rejects, or for a peer that does not speak TLS? */
export function isTlsFault(code: string): boolean {
  return /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|CERT_|ERR_TLS_|ERR_SSL_)/.test(code);
}
