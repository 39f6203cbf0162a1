import type { KeyObject } from "node:crypto";
import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { EspalierError, messageOf } from "../../errors/index.ts";

/** An Ed25519 public key whose signatures are trusted. */
export interface TrustedKey {
  /** The first 16 hexadecimal digits of the SHA-256 of its SPKI bytes. */
  readonly id: string;
  readonly key: KeyObject;
}

/** An Ed25519 private key, with the id of its public half. */
export interface SigningKey {
  readonly id: string;
  readonly key: KeyObject;
}

/**
 * Reads one or more public keys from a PEM file, as written by `openssl pkey -pubout`.
 *
 * @throws EspalierError `file-missing`; `file-malformed` if one is not an Ed25519 key, or is
 * private
 */
export async function readTrustedKeys(path: string): Promise<readonly TrustedKey[]> {
  const content = await readKeyFile(path);
  const blocks = content
    .split(/(?=-----BEGIN )/)
    .filter((part) => part.startsWith("-----BEGIN "))
    .map((part) => /^-----BEGIN [^-]+-----[^]+?-----END [^-]+-----/.exec(part)?.[0] ?? part);
  if (blocks.length === 0) throw malformed(path, publicKeys, "no PEM block");
  return blocks.map((block) => {
    // Node would derive a public key from a private one, which does not belong on a server.
    if (block.includes("PRIVATE KEY")) throw malformed(path, publicKeys, "a private key");
    return keyFrom(path, publicKeys, () => createPublicKey(block));
  });
}

/**
 * Reads a private key from a PEM file, as written by `openssl genpkey -algorithm ed25519`.
 *
 * @throws EspalierError `file-missing`; `file-malformed` if it is not an unencrypted Ed25519 key
 */
export async function readSigningKey(path: string): Promise<SigningKey> {
  const content = await readKeyFile(path);
  return keyFrom(path, privateKey, () => createPrivateKey(content));
}

const publicKeys =
  "one or more Ed25519 public keys in PEM: openssl pkey -in KEY.pem -pubout -out TRUSTED.pem";
const privateKey =
  "an unencrypted Ed25519 private key in PEM: openssl genpkey -algorithm ed25519 -out KEY.pem";

function keyFrom(path: string, expected: string, make: () => KeyObject): TrustedKey {
  let key: KeyObject;
  try {
    key = make();
  } catch (error) {
    throw malformed(path, expected, messageOf(error));
  }
  if (key.asymmetricKeyType !== "ed25519") {
    throw malformed(path, expected, `a key of type ${key.asymmetricKeyType ?? "unknown"}`);
  }
  const spki = (key.type === "private" ? createPublicKey(key) : key).export({
    type: "spki",
    format: "der",
  });
  return { id: createHash("sha256").update(spki).digest("hex").slice(0, 16), key };
}

async function readKeyFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new EspalierError({
      code: "file-missing",
      problem: `The key file "${path}" cannot be read`,
      got: messageOf(error),
      cause: error,
    });
  }
}

function malformed(path: string, expected: string, got: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "The key file is malformed",
    where: path,
    expected,
    got,
  });
}
