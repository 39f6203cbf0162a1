import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { open, rename, rm } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { EspalierError } from "../../../../src/errors/index.ts";
import { writeFault } from "../../../../src/storage/index.ts";

export interface Download {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What must arrive; absent: what the server says. */
  readonly sha256?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Bytes so far, and in all where that is known. */
  readonly onProgress?: ((bytes: number, all: number | null) => void) | undefined;
}

/**
 * Fetches a file to `path`, going on behind what an earlier try left in `path.part`, and checks it.
 * A server that sends nothing for a minute is given up; what came is kept for the next try.
 *
 * @throws EspalierError `lm-unreachable`, `lm-not-found`, `file-malformed` for a wrong hash,
 *   `write-failed`
 */
export async function download(path: string, options: Download): Promise<void> {
  const part = `${path}.part`;
  let file: FileHandle | undefined;
  try {
    file = await open(part, "a");
    const { size } = await file.stat();
    const expected = await append(file, size, options);
    await file.close();
    file = undefined;
    await check(part, expected, options.url);
    await rename(part, path);
  } catch (error) {
    throw writeFault(error, path, {
      kept: "The data fetched so far is kept.",
      next: "fetch it again",
    });
  } finally {
    await file?.close();
  }
}

/** Returns the hash that the file must have, where anybody says. */
async function append(
  file: FileHandle,
  size: number,
  { url, headers, sha256, signal, onProgress }: Download,
): Promise<string | undefined> {
  const silence = new AbortController();
  const all = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]);
  const stalled = (): void => silence.abort(new Error(`no data arrived for ${silentMs / 1000} s`));
  let timer = setTimeout(stalled, silentMs);
  try {
    const ranged = size > 0 ? { Range: `bytes=${size}-` } : {};
    const response = await fetch(url, { headers: { ...headers, ...ranged }, signal: all });
    // Nothing is left to send: the file is complete, or longer than the server's.
    if (response.status === 416) return sha256;
    if (!response.ok || response.body === null) throw refused(response, url);
    let bytes = response.status === 206 ? size : 0;
    if (bytes === 0) await file.truncate(0);
    const length = Number(response.headers.get("content-length") ?? Number.NaN);
    const total = Number.isNaN(length) ? null : bytes + length;
    for await (const chunk of response.body) {
      clearTimeout(timer);
      await file.write(chunk as Uint8Array);
      bytes += (chunk as Uint8Array).length;
      onProgress?.(bytes, total);
      timer = setTimeout(stalled, silentMs);
    }
    return sha256;
  } catch (error) {
    signal?.throwIfAborted();
    if (EspalierError.isInstance(error) || isOfFile(error)) throw error;
    throw new EspalierError({
      code: "lm-unreachable",
      problem: "The weights could not be fetched",
      where: url,
      got: reasonOf(error),
      fix: "Fetch them again: the download continues where it stopped.",
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

const silentMs = 60_000;

function refused({ status, statusText }: Response, url: string): EspalierError {
  return new EspalierError({
    code: "lm-not-found",
    problem: "The server does not provide these weights",
    where: url,
    got: `${status} ${statusText}`.trim(),
    fix:
      status === 401 || status === 403
        ? "If they need an account, set HF_TOKEN."
        : "Check the repository and the file's name.",
  });
}

function isOfFile(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "write";
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}

/** Removes a file with another hash, so that the next try begins anew. */
export async function check(
  path: string,
  expected: string | undefined,
  where: string,
): Promise<void> {
  if (expected === undefined) return;
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer);
  }
  const found = hash.digest("hex");
  if (found === expected) return;
  await rm(path);
  throw new EspalierError({
    code: "file-malformed",
    problem: "The fetched weights are not the expected ones and were removed",
    where,
    expected: `SHA-256 ${expected}`,
    got: found,
  });
}
