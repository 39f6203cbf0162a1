import { existsSync, globSync } from "node:fs";
import { basename, join } from "node:path";
import { EspalierError } from "espalier";

/** The files of one release of MTRAG, wherever they lie. */
export interface Release {
  /** Path of the tasks. */
  readonly tasks: string;
  /** Judgements for retrieval; empty if the release comes without. */
  readonly qrels: readonly string[];
  /** Human rewrites; empty if the release comes without. */
  readonly rewrites: readonly string[];
  /** Says which conversation belongs to which split; absent if nothing does. */
  readonly splits?: string;
  /** Names of other releases in the same folder, which were not read. */
  readonly passedOver: readonly string[];
  /** Name of the release's folder. */
  readonly name: string;
}

/** In a release's folder: the assembled subset, a release alone, and the public repository. */
const taskFiles = ["tasks.jsonl", "reference.jsonl", "generation_tasks/reference.jsonl"];
/** The subset and a release alone; MTRAG-UN and MTRAG in the repository. */
export const qrelsFiles = [
  "qrels/*.tsv",
  "retrieval_tasks/qrels/*.tsv",
  "retrieval_tasks/*/qrels/*.tsv",
];
const rewriteFiles = ["queries/*_rewrite.jsonl", "retrieval_tasks/*/*_rewrite.jsonl"];
export const splitsName = "splits.json";
/** The later release: how the repository names its folder, and its rows their set. */
const later = { folders: ["mtragun-human", "un"], dataset: "MT-RAG 2.0" } as const;
/** Folders of releases in a checkout; the first that is there is read. */
const releaseFolders = ["mtrag-human", ...later.folders];

/** The trainset's name: MTRAG and MTRAG-UN are two sets, with figures of their own. */
export function nameOf(
  { name }: Release,
  rows: readonly { readonly dataset?: string | undefined }[],
): "mtrag" | "mtrag-un" {
  const isLater =
    later.folders.some((folder) => folder === name) ||
    rows.some(({ dataset }) => dataset === later.dataset);
  return isLater ? "mtrag-un" : "mtrag";
}

/**
 * Finds a release in its own folder, or in the folder above. Where there are several, as in a
 * checkout of the public repository, the first release is taken, and the others by naming theirs.
 *
 * @throws EspalierError `file-missing` if no release is there
 */
export function releaseIn(folder: string): Release {
  const others = ["*/generation_tasks/reference.jsonl", "*/generation_tasks/reference.jsonl.gz"];
  const names = new Set([
    ...releaseFolders,
    ...globSync(others, { cwd: folder })
      .map((path) => path.split(/[\\/]/, 1)[0] ?? "")
      .toSorted(),
  ]);
  const found = [".", ...names].flatMap((name) => {
    const at = join(folder, name);
    const tasks = taskFiles
      .flatMap((file) => [file, `${file}.gz`])
      .map((file) => join(at, file))
      .find((path) => existsSync(path));
    return tasks === undefined ? [] : [{ at, tasks }];
  });
  const [first, ...rest] = found;
  if (first === undefined) throw notMtrag(folder);
  const { at, tasks } = first;
  const splits = [at, folder]
    .map((place) => join(place, splitsName))
    .find((path) => existsSync(path));
  const filesOf = (patterns: readonly string[]) =>
    globSync([...patterns], { cwd: at })
      .toSorted()
      .map((file) => join(at, file));
  return {
    tasks,
    qrels: filesOf(qrelsFiles),
    rewrites: filesOf(rewriteFiles),
    ...(splits !== undefined && { splits }),
    passedOver: rest.map((other) => basename(other.at)),
    name: basename(at),
  };
}

function notMtrag(folder: string): EspalierError {
  return new EspalierError({
    code: "file-missing",
    problem: "The MTRAG folder has no tasks",
    where: folder,
    expected: `${taskFiles.join(" or ")}, in it or in ${releaseFolders.join(", ")}`,
    fix: "Point --mtrag-dir or ESPALIER_MTRAG_DIR to a checkout of IBM/mt-rag-benchmark, or to mtrag-human or mtragun-human in it.",
  });
}
