import { pathToFileURL } from "node:url";
import type { Study } from "espalier";
import type { Parts } from "espalier/servers";
import { rehearsalParts } from "../../support/rehearsal-parts.ts";

/** The study of a file, with a mock for every part. */
export async function loadedStudy(path: string): Promise<Study> {
  const { default: exported } = (await import(pathToFileURL(path).href)) as {
    readonly default: Study | ((parts: Parts) => Promise<Study>);
  };
  return typeof exported === "function" ? exported(rehearsalParts()) : exported;
}
