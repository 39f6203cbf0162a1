import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { EspalierError, messageOf } from "../errors/index.ts";
import { parseJson } from "../internal/index.ts";
import { readNamedFile } from "../storage/index.ts";
import type { Servers } from "./servers.ts";
import { isLocalModel, serversSchema } from "./servers-file.ts";

/** Where commands look for the file. */
export const defaultServersFile = "espalier.servers.json";

/** The servers file of the working folder, if there is one. */
export function foundServersFile(): string | undefined {
  return existsSync(defaultServersFile) ? defaultServersFile : undefined;
}

/**
 * Reads a servers file and checks that every LM that it refers to is in it. Asks no server. A path
 * of a local model is taken from the folder of the file.
 *
 * @throws EspalierError `file-missing`, `file-malformed`
 */
export async function readServers(path: string): Promise<Servers> {
  const content = await readNamedFile(path, 2 ** 20, {
    problem: "Cannot read the servers file",
    where: path,
    fix: "Name another file with --servers FILE, or write one; `espalier servers --schema` prints its JSON schema.",
  });
  const parsed = serversSchema.safeParse(jsonIn(content, path));
  if (parsed.success) return withPlace(parsed.data, path);
  const [issue] = parsed.error.issues;
  throw new EspalierError({
    code: "file-malformed",
    problem: "The servers file is malformed",
    where: path,
    expected,
    got: issue === undefined ? z.prettifyError(parsed.error) : issueText(issue),
    fix: "`espalier servers --schema` prints its JSON schema.",
  });
}

function withPlace(servers: Servers, path: string): Servers {
  const { embedder } = servers;
  const [, file] = /^local:(\.{1,2}[/\\].*)$/.exec(isLocalModel(embedder) ? embedder : "") ?? [];
  if (file === undefined) return servers;
  return { ...servers, embedder: `local:${resolve(dirname(path), file)}` };
}

const expected =
  '{ "format": "espalier-servers/1", "lms": { "NAME": { "url": "http://127.0.0.1:8000/v1", "model": "..." } }, "embedder": { ... } }';

/** Of a union, the issue of the branch that fits best: an unknown key, not "invalid input". */
function issueText(issue: z.core.$ZodIssue, at: readonly PropertyKey[] = []): string {
  const path = [...at, ...issue.path];
  const inner = innerIssue(issue);
  if (inner !== undefined) return issueText(inner, path);
  return path.length === 0 ? issue.message : `${path.join(".")}: ${issue.message}`;
}

function innerIssue(issue: z.core.$ZodIssue): z.core.$ZodIssue | undefined {
  if (issue.code === "invalid_key") return issue.issues[0];
  if (issue.code !== "invalid_union") return undefined;
  const [best] = issue.errors
    .filter((branch) => branch.every(isInside))
    .toSorted((left, right) => misfitsOf(left) - misfitsOf(right));
  return best?.[0];
}

/** Not about the value as a whole, which another branch of the union accepts. */
function isInside({ code, path }: z.core.$ZodIssue): boolean {
  return path.length > 0 || code === "unrecognized_keys";
}

function misfitsOf(branch: readonly z.core.$ZodIssue[]): number {
  const counts = branch.map((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.length : 1,
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

function jsonIn(content: string, path: string): unknown {
  try {
    return parseJson(content);
  } catch (error) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The servers file is not JSON",
      where: path,
      expected,
      got: messageOf(error),
      cause: error,
    });
  }
}
