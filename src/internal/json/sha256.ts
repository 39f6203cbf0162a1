import { hash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";

/** SHA-256 of a text's UTF-8 bytes, as 64 hexadecimal digits. */
export function sha256(text: string): string {
  return hash("sha256", text);
}

/** SHA-256 of a value's canonical JSON. */
export function contentHash(value: unknown): string {
  return sha256(canonicalJson(value));
}
