import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import { EspalierError } from "../errors/index.ts";

/**
 * Reads one JSON value: as it stands, from a file (`@input.json`), or from standard input (`-`).
 *
 * @throws EspalierError `file-missing`, `file-malformed`
 */
export async function readInput(given: string): Promise<unknown> {
  const { content, where } = await source(given);
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The input is not JSON",
      where,
      expected: `an object such as {"question":"..."}`,
      got: error instanceof Error ? error.message : String(error),
      fix: "Give JSON in single quotes, @file.json, or - for standard input",
    });
  }
}

async function source(given: string): Promise<{ content: string; where: string }> {
  if (given === "-") return { content: await readAll(process.stdin), where: "standard input" };
  if (!given.startsWith("@")) return { content: given, where: "--input" };
  const path = given.slice(1);
  try {
    return { content: await readFile(path, "utf8"), where: path };
  } catch (error) {
    throw new EspalierError({
      code: "file-missing",
      problem: `The input file "${path}" cannot be read`,
      got: error instanceof Error ? error.message : String(error),
    });
  }
}
