import { crc32, deflateSync } from "node:zlib";

/** Red, green and blue, each in 0 to 255. */
type Colour = readonly [number, number, number];

export interface PngOptions {
  readonly width: number;
  readonly height: number;
  readonly colourAt: (x: number, y: number) => Colour;
  /** What the file says of itself, as PNG's `Description`. */
  readonly description?: string;
}

/** The bytes of a PNG with 8 bits for each of red, green and blue. */
export function png({ width, height, colourAt, description }: PngOptions): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_row, y) => [
    0,
    ...Array.from({ length: width }, (_pixel, x) => [...colourAt(x, y)]).flat(),
  ]);
  return Buffer.concat([
    Buffer.from("\u0089PNG\r\n\u001a\n", "latin1"),
    chunk("IHDR", header),
    ...(description === undefined
      ? []
      : [chunk("iTXt", Buffer.from(`Description\0\0\0\0\0${description}`))]),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A small picture of one colour. */
export function plainPng(colour: Colour, size = 8): Buffer {
  return png({ width: size, height: size, colourAt: () => colour });
}

export function dataUrl(bytes: Buffer, type = "image/png"): string {
  return `data:${type};base64,${bytes.toString("base64")}`;
}

/** A picture of lines of text, which it also has as its description. */
export function pngOfText(lines: readonly string[]): Buffer {
  const [scale, margin] = [2, 4];
  const width = 2 * margin + scale * 4 * Math.max(...lines.map(({ length }) => length));
  const height = 2 * margin + scale * 7 * lines.length;
  const isInk = (x: number, y: number): boolean => {
    const [column, row] = [Math.floor((x - margin) / scale), Math.floor((y - margin) / scale)];
    if (column < 0 || row < 0) return false;
    const character = lines[Math.floor(row / 7)]?.[Math.floor(column / 4)]?.toUpperCase() ?? " ";
    return glyphs[character]?.[row % 7]?.[column % 4] === "#";
  };
  return png({
    width,
    height,
    colourAt: (x, y) => (isInk(x, y) ? [20, 20, 20] : [250, 250, 245]),
    description: lines.join("\n"),
  });
}

/** Three by five dots for each character: rows of three bits as octal digits. */
const dots: Readonly<Record<string, string>> = {
  "0": "75557",
  "1": "26227",
  "2": "71747",
  "3": "71717",
  "4": "55711",
  "5": "74717",
  "6": "74757",
  "7": "71111",
  "8": "75757",
  "9": "75717",
  A: "25755",
  B: "65656",
  C: "34443",
  D: "65556",
  E: "74647",
  F: "74644",
  G: "34553",
  H: "55755",
  I: "72227",
  J: "11152",
  K: "55655",
  L: "44447",
  M: "57755",
  N: "65555",
  O: "25552",
  P: "65644",
  Q: "25563",
  R: "65655",
  S: "34216",
  T: "72222",
  U: "55557",
  V: "55552",
  W: "55775",
  X: "55255",
  Y: "55222",
  Z: "71247",
  ".": "00002",
  ":": "02020",
  "-": "00700",
};

const glyphs: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(dots).map(([character, rows]) => [
    character,
    Array.from(rows, (row) =>
      [4, 2, 1].map((bit) => ((Number(row) & bit) === 0 ? " " : "#")).join(""),
    ),
  ]),
);
