import { join } from "node:path";
import { parseJson, sha256, withoutCredentials } from "../../internal/index.ts";
import { readFileWithinSync, writeFileAtomic } from "../../storage/index.ts";
import type { ServerExamination } from "./server-examination.ts";
import { examinationSchema } from "./server-examination.ts";

/** Default folder for examinations, relative to the working folder. */
const examinationsFolder = join(".espalier", "servers");

/** Replaces the stored examination of this URL and model. */
export async function keepExamination(
  examination: ServerExamination,
  folder: string = examinationsFolder,
): Promise<string> {
  const path = pathOf(examination, folder);
  await writeFileAtomic(path, `${JSON.stringify(examination, null, 2)}\n`);
  return path;
}

/** The stored examination; `undefined` if there is none, or none that this version can read. */
export function keptExamination(
  address: { readonly baseUrl: string; readonly model: string },
  folder: string = examinationsFolder,
): ServerExamination | undefined {
  try {
    // Read synchronously and in one piece, since `connect` is synchronous; it is a few kilobytes.
    const content = readFileWithinSync(pathOf(address, folder), 2 ** 20);
    return examinationSchema.safeParse(parseJson(content)).data;
  } catch {
    return undefined;
  }
}

/**
 * The same for several servers, in their order; servers without a stored examination are left out.
 */
export function keptExaminations(
  { baseUrls, model }: { readonly baseUrls: readonly string[]; readonly model: string },
  folder?: string,
): readonly ServerExamination[] {
  return baseUrls.flatMap((baseUrl) => keptExamination({ baseUrl, model }, folder) ?? []);
}

function pathOf(
  { baseUrl, model }: { readonly baseUrl: string; readonly model: string },
  folder: string,
): string {
  const address = `${withoutCredentials(baseUrl).replace(/(?<!\/)\/+$/, "")} ${model}`;
  return join(folder, `${sha256(address).slice(0, 16)}.json`);
}
