/** Bytes in a mebibyte. */
export const mebibyte: number = 2 ** 20;

/** A human-readable number of bytes: `64 MiB`, `1.5 KiB`, `7 bytes`. */
export function byteSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  const count = bytes / 1024 ** power;
  return `${Number.isInteger(count) ? count : count.toFixed(1)} ${units[power - 1]}`;
}
