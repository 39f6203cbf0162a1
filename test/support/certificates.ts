import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Paths of files. */
export interface Certificates {
  /** The certificate of whoever signed the server's. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** Makes, with `openssl`, an authority and a server's certificate that it signed, for two days. */
export function certificates(folder: string, name = "IP:127.0.0.1"): Certificates {
  const made = { authority: "authority.crt", certificate: "server.crt", key: "server.key" };
  const begin = "req -new -x509 -days 2 -nodes -newkey rsa:2048";
  run(folder, `${begin} -subj /CN=authority -keyout authority.key -out ${made.authority}`);
  const signer = `-CA ${made.authority} -CAkey authority.key`;
  const server = `-subj /CN=server -addext subjectAltName=${name} -addext basicConstraints=CA:FALSE`;
  run(folder, `${begin} ${server} ${signer} -keyout ${made.key} -out ${made.certificate}`);
  return {
    authority: join(folder, made.authority),
    certificate: join(folder, made.certificate),
    key: join(folder, made.key),
  };
}

function run(folder: string, words: string): void {
  const given = { cwd: folder, encoding: "utf8" } as const;
  const { status, stderr, error } = spawnSync("openssl", words.split(" "), given);
  if (status !== 0) throw error ?? new Error(stderr);
}
