import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { EspalierError } from "../../errors/index.ts";
import { contentHash, isObject, jsonOrUndefined } from "../../internal/index.ts";
import { readRun, runFolderFiles } from "../../optimizer/files.ts";
import { compareRuns } from "../../report/index.ts";
import { reportPage } from "../../report-page/index.ts";
import { writeFileAtomic } from "../../storage/index.ts";
import type { TrackedArtifact, TrackedRun } from "../../tracking/index.ts";
import { evaluationRun, searchRun } from "../../tracking/index.ts";
import { readSource } from "../compare/read-source.ts";
import { readEvaluation } from "../eval/evaluation-file.ts";

interface Options {
  readonly hasContents: boolean;
}

/**
 * What a tracking server shows of a run's folder, or of a file that `eval --out` wrote.
 *
 * @throws EspalierError `file-missing`, `file-malformed`
 */
export async function trackedSubject(path: string, options: Options): Promise<TrackedRun> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true) return trackedResult(path, stat?.mtimeMs ?? 0, options);
  return trackedFolder(path, options);
}

async function trackedResult(
  path: string,
  writtenAtMs: number,
  { hasContents }: Options,
): Promise<TrackedRun> {
  const { evaluation, study, split, trainset, lm, standIns } = await readEvaluation(path);
  return evaluationRun(evaluation, {
    key: contentHash([study, split, evaluation]).slice(0, 32),
    study,
    split,
    ...(trainset && { trainset }),
    model: lm.model,
    standIns,
    hasContents,
    writtenAtMs,
  });
}

async function trackedFolder(folder: string, { hasContents }: Options): Promise<TrackedRun> {
  const source = hasContents ? await readSource(folder) : undefined;
  const recorded = source?.kind === "run" ? source.history.recorded : readRun(folder);
  const { journal, artifact } = runFolderFiles(folder);
  const { birthtimeMs, mtimeMs } = statSync(journal);
  const artifacts: TrackedArtifact[] = [];
  if (source !== undefined) {
    const content = reportPage(compareRuns([source]));
    artifacts.push({ path: "run.html", type: "text/html", content });
  }
  if (hasContents && existsSync(artifact)) {
    const content = readFileSync(artifact, "utf8");
    artifacts.push({ path: "artifact.json", type: "application/json", content });
  }
  return searchRun(recorded, {
    key: await keyOf(folder),
    startedAtMs: Math.min(birthtimeMs, mtimeMs),
    changedAtMs: mtimeMs,
    artifacts,
  });
}

/** The run's name on tracking servers, drawn once and kept in its folder. */
async function keyOf(folder: string): Promise<string> {
  const { tracking: path } = runFolderFiles(folder);
  if (existsSync(path)) {
    const content = readFileSync(path, "utf8");
    const value = jsonOrUndefined(content);
    const { format: held, key } = isObject(value) ? (value as Record<string, unknown>) : {};
    if (held === format && typeof key === "string" && /^[0-9a-f-]{36}$/.test(key)) return key;
    throw new EspalierError({
      code: "file-malformed",
      problem: "The file with the run's name on tracking servers is malformed",
      where: path,
      expected: `{ "format": "${format}", "key": "..." }`,
      fix: "Restore it, or remove it: the run is then sent as a new one.",
    });
  }
  const key = randomUUID();
  await writeFileAtomic(path, `${JSON.stringify({ format, key })}\n`);
  return key;
}

const format = "espalier-tracking/1";
