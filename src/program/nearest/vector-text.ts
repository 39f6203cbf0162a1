import { endianness } from "node:os";

/** A vector as files hold it: little-endian 32-bit floats as base64. */
export function vectorText(vector: Float32Array): string {
  const bytes = Buffer.from(Float32Array.from(vector).buffer);
  if (endianness() === "BE") bytes.swap32();
  return bytes.toString("base64");
}

/** The vector that a text holds; `null` unless it has that many numbers, all of them finite. */
export function readVector(text: string, dimension: number): Float32Array | null {
  const bytes = Uint8Array.from(Buffer.from(text, "base64"));
  if (bytes.length !== 4 * dimension) return null;
  if (endianness() === "BE") Buffer.from(bytes.buffer).swap32();
  const vector = new Float32Array(bytes.buffer);
  return vector.every(Number.isFinite) ? vector : null;
}
