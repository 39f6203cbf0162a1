import { createReadStream } from "node:fs";
import { dirname } from "node:path";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { boundedText, mebibyte, parseJson } from "../../internal/index.ts";
import type { FieldSchemas } from "../../signature/index.ts";
import { imagesFromFiles } from "../../trainset/index.ts";

export interface WantedInput {
  readonly name: string;
  readonly expected: string;
  readonly fix: string;
  /** Where such files are, for one that cannot be read. */
  readonly whereabouts?: string;
}

const anInput: WantedInput = {
  name: "input",
  expected: `an object such as {"question":"..."}`,
  fix: "Give JSON in single quotes, @file.json, or - for standard input",
};

/**
 * Reads one JSON value: given directly, from a file (`@input.json`), or from standard input (`-`).
 *
 * @param wanted what the value is and looks like, for error messages
 * @throws EspalierError `file-missing`, `file-malformed`
 */
export async function readInput(given: string, wanted: WantedInput = anInput): Promise<unknown> {
  const { content, where } = await source(given, wanted);
  try {
    return parseJson(content);
  } catch (error) {
    throw new EspalierError({
      code: "file-malformed",
      problem: `The ${wanted.name} is not JSON`,
      where,
      expected: wanted.expected,
      got: messageOf(error),
      fix: wanted.fix,
    });
  }
}

/**
 * Reads a program's input in the same way; images may be paths, relative to the folder of the file
 * that names them, or else to the working folder.
 *
 * @throws EspalierError `file-missing`, `file-malformed`
 */
export async function readProgramInput(given: string, fields: FieldSchemas): Promise<unknown> {
  const isFile = given.startsWith("@");
  return imagesFromFiles(await readInput(given), fields, {
    folder: isFile ? dirname(given.slice(1)) : ".",
    where: (field) => `${isFile ? given.slice(1) : "--input"}, field \`${field}\``,
  });
}

async function source(
  given: string,
  { name, whereabouts }: WantedInput,
): Promise<{ content: string; where: string }> {
  if (given !== "-" && !given.startsWith("@")) return { content: given, where: "--input" };
  const path = given.slice(1);
  const where = given === "-" ? "standard input" : path;
  const bytes = given === "-" ? process.stdin : createReadStream(path);
  try {
    return { content: await boundedText(bytes, { maxBytes: maxInputBytes }), where };
  } catch (error) {
    const what = given === "-" ? where : `${name === "input" ? "input file" : name} "${path}"`;
    throw new EspalierError({
      code: "file-missing",
      problem: `The ${what} cannot be read`,
      got: messageOf(error),
      ...(given !== "-" && whereabouts !== undefined && { fix: whereabouts }),
    });
  }
}

const maxInputBytes = 64 * mebibyte;
