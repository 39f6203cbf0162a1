import { inflateSync } from "node:zlib";

/** What is read of a PNG without showing it. */
export interface Png {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** The text that the file keeps under `Description`, as PNG's specification names it. */
  readonly description?: string;
  /** Red, green and blue of its mean, each in 0 to 255; absent where it cannot be decoded. */
  readonly mean?: readonly [number, number, number];
}

/** Reads a PNG (W3C, Portable Network Graphics, third edition); `null` if it is none. */
export function readPng(bytes: Buffer): Png | null {
  const chunks = chunksOf(bytes);
  const header = chunks[0];
  if (header?.type !== "IHDR" || header.data.length < 13) return null;
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  const [depth, colour, , , interlace] = header.data.subarray(8);
  const channels = colour === undefined ? undefined : channelsOf[colour];
  const description = chunks.flatMap(descriptionIn)[0];
  const isReadable = depth === 8 && interlace === 0 && channels !== undefined;
  const mean = isReadable
    ? meanOf(chunks, { width, height, channels, colour: colour ?? 0 })
    : undefined;
  return {
    width,
    height,
    ...(description !== undefined && { description }),
    ...(mean && { mean }),
  };
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

function chunksOf(bytes: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    chunks.push({ type, data: bytes.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function descriptionIn({ type, data }: Chunk): readonly string[] {
  const end = data.indexOf(0);
  if (end < 0 || data.toString("latin1", 0, end) !== "Description") return [];
  if (type === "tEXt") return [data.toString("latin1", end + 1)];
  // Not compressed; then come a language and the keyword in it.
  if (type !== "iTXt" || data[end + 1] !== 0) return [];
  const language = data.indexOf(0, end + 3);
  const keyword = data.indexOf(0, language + 1);
  return language < 0 || keyword < 0 ? [] : [data.toString("utf8", keyword + 1)];
}

/** Samples of a pixel by PNG's colour type; a palette has one. */
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Of decoded data, in bytes. */
const maxDecoded = 64 * 2 ** 20;

function meanOf(
  chunks: readonly Chunk[],
  {
    width,
    height,
    channels,
    colour,
  }: Pick<Png, "width" | "height"> & { readonly channels: number; readonly colour: number },
): readonly [number, number, number] | undefined {
  const stride = width * channels;
  const wanted = (stride + 1) * height;
  if (wanted === 0 || wanted > maxDecoded) return undefined;
  const data = inflated(chunks, wanted);
  if (data === null) return undefined;
  const palette = chunks.find(({ type }) => type === "PLTE")?.data;
  const sums: [number, number, number] = [0, 0, 0];
  let before: Uint8Array = new Uint8Array(stride);
  for (let line = 0; line < height; line++) {
    const at = line * (stride + 1);
    const row = unfiltered(data.subarray(at, at + stride + 1), before, channels);
    for (let pixel = 0; pixel < stride; pixel += channels) {
      for (let part = 0; part < 3; part++) {
        const sample = row[pixel + (channels >= 3 ? part : 0)] ?? 0;
        sums[part] =
          (sums[part] ?? 0) + (colour === 3 ? (palette?.[3 * sample + part] ?? 0) : sample);
      }
    }
    before = row;
  }
  const [red, green, blue] = sums.map((sum) => Math.round(sum / (width * height)));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

function inflated(chunks: readonly Chunk[], wanted: number): Buffer | null {
  const packed = chunks.flatMap(({ type, data }) => (type === "IDAT" ? [data] : []));
  try {
    const data = inflateSync(Buffer.concat(packed), { maxOutputLength: maxDecoded });
    return data.length < wanted ? null : data;
  } catch {
    return null;
  }
}

/** Section 9.2 of the specification; `given` begins with the filter's number. */
function unfiltered(given: Uint8Array, above: Uint8Array, channels: number): Uint8Array {
  const filter = given[0] ?? 0;
  const row = given.slice(1);
  for (let at = 0; at < row.length; at++) {
    const left = row[at - channels] ?? 0;
    const up = above[at] ?? 0;
    const corner = at < channels ? 0 : (above[at - channels] ?? 0);
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
    row[at] = (row[at] ?? 0) + guess;
  }
  return row;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((one) => Math.abs(estimate - one)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
