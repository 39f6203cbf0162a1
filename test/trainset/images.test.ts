import { writeFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { image, predict, signature, text } from "espalier";
import { cached, diskCache } from "espalier/lm";
import { imagesFromFiles, readExamples, readImage, trainset } from "espalier/trainset";
import { expect, it } from "vitest";
import { z } from "zod";
import { scriptedLm } from "../support/scripted-lm.ts";
import { dataUrl, plainPng } from "../support/png.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

const look = signature({
  name: "look",
  instruction: "Name the colour.",
  input: { sign: image(), note: text("note").optional() },
  output: { colour: z.enum(["red", "blue"]) },
});
const fields = { input: look.input, labels: { colour: z.string() } };
const [red, blue] = [plainPng([200, 0, 0]), plainPng([0, 0, 200])];

async function folderWith(
  sign: string,
  rows = [{ id: "a", input: { sign }, labels: { colour: "red" } }],
) {
  const folder = await temporaryFolder();
  await mkdir(join(folder.path, "signs"));
  const path = join(folder.path, "train.jsonl");
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return { ...folder, path: folder.path, file: path };
}

const made = async (file: string) =>
  trainset({
    name: "signs",
    version: "1",
    licence: "CC0-1.0",
    source: "made",
    splits: { train: await readExamples(file, fields) },
  });

it("a path in a file of examples is relative to it; addresses and data stay", async () => {
  await using folder = await folderWith("signs/a.png");
  await writeFile(join(folder.path, "signs/a.png"), red);
  const [one] = await readExamples(folder.file, fields);
  expect(one?.input.sign).toBe(dataUrl(red));
  const given = { sign: "https://example.org/a.png", others: [dataUrl(blue), "signs/a.png"] };
  const place = { folder: folder.path, where: (field: string) => field };
  const many = { ...look.input, others: z.array(image()) };
  expect(await imagesFromFiles(given, many, place)).toEqual({
    sign: given.sign,
    others: [dataUrl(blue), dataUrl(red)],
  });
});

it("a changed file changes checksum, prompt and cache key, whatever its path", async () => {
  await using folder = await folderWith("signs/a.png");
  await using server = await scriptedLm(() => '{"colour":"red"}');
  await using cache = diskCache(join(folder.path, "cache.sqlite"));
  const lm = cached(server.lm, cache);
  const file = join(folder.path, "signs/a.png");
  const checksums: string[] = [];
  for (const bytes of [red, red, blue]) {
    await writeFile(file, bytes);
    const { checksum, splits } = await made(folder.file);
    checksums.push(checksum);
    await predict(look).run(splits.train[0]?.input as never, { lm });
  }
  expect(checksums[0]).toBe(checksums[1]);
  expect(checksums[2]).not.toBe(checksums[1]);
  expect(server.received).toHaveLength(2);
});

it.each([
  ["that is not there", "signs/none.png", null, ["file-missing", "no such file"]],
  ["that is a PDF", "signs/a.png", Buffer.from("%PDF-1.7"), ["file-malformed", "a PDF"]],
  [
    "that is an SVG",
    "signs/a.png",
    Buffer.from("<svg onload='alert(1)'/>"),
    ["file-malformed", "an SVG, which is a program"],
  ],
  ["that is empty", "signs/a.png", Buffer.alloc(0), ["file-malformed", "an empty file"]],
  [
    "that is too large",
    "signs/a.png",
    Buffer.concat([red, Buffer.alloc(10 * 2 ** 20)]),
    ["file-missing", "it has 10.0 MiB"],
  ],
  ["that is a folder", "signs", null, ["file-missing", "it is not a regular file"]],
])("a file %s is refused with line and field", async (_name, sign, bytes, [code, said]) => {
  await using folder = await folderWith(sign);
  if (bytes !== null) await writeFile(join(folder.path, sign), bytes);
  const error = await thrownBy(() => readExamples(folder.file, fields));
  expect(error.code).toBe(code);
  expect(error.message).toContain(`${folder.file}:1, field \`input.sign\``);
  expect(error.message).toContain("PNG, JPEG, WebP or GIF");
  expect(error.message).toContain(said);
});

it("rows without images are read as ever, and a bad one names its line", async () => {
  await using folder = await folderWith("unused", [
    { id: "a", input: { sign: dataUrl(red) }, labels: { colour: "red" } },
    { id: "b", input: 7 as never, labels: { colour: "red" } },
  ]);
  await expect(readExamples(folder.file, fields)).rejects.toThrow(`${folder.file}:2`);
  await expect(readImage(join(folder.path, "x.png"))).rejects.toThrow("x.png` cannot be read");
});
