import { imageDataIn } from "../../../../src/internal/index.ts";
import { readPng } from "./png.ts";

/**
 * What the rehearsal LM knows of a picture, in words. It cannot see: it reads the description that
 * a PNG keeps in itself, or else tells size and mean colour; of other pictures their kind alone.
 */
export function seenImage(url: string): string {
  const data = imageDataIn(url);
  if (data === null) return `an image at ${url}`;
  const kind = data.type.slice("image/".length).toUpperCase();
  const png = data.type === "image/png" ? readPng(Buffer.from(data.base64, "base64")) : null;
  if (png === null) return `a ${kind} image`;
  const { width, height, description, mean } = png;
  if (description !== undefined) return description;
  const colour = mean === undefined ? "" : `, on average ${nameOf(mean)}`;
  return `a ${kind} image of ${width} by ${height} pixels${colour}`;
}

/** Tokens of a picture: one for each patch of 28 by 28 pixels, as Qwen2-VL counts. */
export function imageTokens(url: string): number {
  const data = imageDataIn(url);
  const png = data === null ? null : readPngSize(data.base64);
  return png === null ? 256 : Math.ceil(png.width / 28) * Math.ceil(png.height / 28);
}

/** The header is in the first 24 bytes, which 32 characters hold. */
function readPngSize(base64: string): { readonly width: number; readonly height: number } | null {
  const head = Buffer.from(base64.slice(0, 32), "base64");
  if (head.length < 24 || head.toString("latin1", 12, 16) !== "IHDR") return null;
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

const colours = {
  black: [0, 0, 0],
  grey: [128, 128, 128],
  white: [255, 255, 255],
  red: [220, 30, 30],
  orange: [240, 140, 30],
  yellow: [240, 220, 40],
  green: [40, 160, 60],
  blue: [40, 80, 200],
  purple: [130, 50, 160],
  pink: [240, 150, 190],
  brown: [120, 75, 40],
} as const;

/** The nearest of the eleven basic colour terms (Berlin and Kay 1969). */
function nameOf(mean: readonly number[]): string {
  const distance = (colour: readonly number[]): number =>
    colour.reduce((sum, part, index) => sum + (part - (mean[index] ?? 0)) ** 2, 0);
  return Object.entries(colours).reduce((best, one) =>
    distance(one[1]) < distance(best[1]) ? one : best,
  )[0];
}
