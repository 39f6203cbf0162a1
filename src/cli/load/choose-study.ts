import { EspalierError } from "../../errors/index.ts";
import type { Parts } from "../../servers/index.ts";
import type { Study } from "../../study/index.ts";
import { isStudy } from "../../study/index.ts";
import type { TunableProgram } from "../../program/index.ts";
import { isProgram, loadDefault } from "./load-default.ts";

export interface StudyChoice {
  /** The variant to take; absent, or the study's own trainset: the study itself. */
  readonly trainset?: string | undefined;
  /** The server of a trainset `mlflow:NAME`. @default MLFLOW_TRACKING_URI */
  readonly mlflow?: string | undefined;
  /** For files that default-export a function of them. */
  readonly parts: Parts;
}

/**
 * Imports a file that default-exports a study, and takes the variant on the named trainset.
 *
 * @throws EspalierError `usage-invalid` if there is no such variant, and what `loadStudy` throws
 */
export async function chooseStudy(
  path: string,
  { trainset, parts, mlflow }: StudyChoice,
): Promise<Study> {
  return variantOf(await loadStudy(path, parts), trainset, mlflow);
}

/** A study, or a program alone. */
export type Declared = Pick<Study, "program"> & Partial<Study>;

/** The same for commands that need no data: the file may also default-export a program alone. */
export async function chooseDeclared(path: string, choice: StudyChoice): Promise<Declared> {
  const { trainset, parts, mlflow } = choice;
  const guard = (value: unknown): value is Study | TunableProgram =>
    isStudy(value) || isProgram(value);
  const found = await loadDefault(path, "study", { guard, parts, takesProgram: true });
  if (isStudy(found)) return variantOf(found, trainset, mlflow);
  if (trainset !== undefined) throw noVariants(path, trainset);
  return { program: found };
}

/** What to say of `--trainset` beside a file without a study. */
export function noVariants(source: string, trainset: string): EspalierError {
  return new EspalierError({
    code: "usage-invalid",
    problem: `"${source}" has no variants, since its default export is not a study`,
    got: `--trainset ${trainset}`,
    fix: "Name the study's file, or omit the option",
  });
}

/** A study's variant on the named trainset, or the study on a dataset of MLflow. */
export async function variantOf(
  study: Study,
  trainset: string | undefined,
  mlflow?: string,
): Promise<Study> {
  if (trainset?.startsWith("mlflow:")) {
    const { openMlflow } = await import("./open-mlflow.ts");
    const { server, tracking } = await openMlflow(mlflow, { option: "--mlflow" });
    const name = trainset.slice("mlflow:".length);
    return { ...study, trainset: await tracking.readTrainset(server, name) };
  }
  if (trainset === undefined || trainset === study.trainset.name) return study;
  const { variants = {} } = study;
  const make = Object.hasOwn(variants, trainset) ? variants[trainset] : undefined;
  if (make !== undefined) return make();
  throw new EspalierError({
    code: "usage-invalid",
    problem: `The study "${study.name}" has no variant "${trainset}"`,
    expected: [study.trainset.name, ...Object.keys(variants)].join(", "),
    where: "--trainset",
  });
}

/** Imports a file that default-exports a study, or a function that makes one of parts. */
export async function loadStudy(path: string, parts: Parts): Promise<Study> {
  return loadDefault(path, "study", { guard: isStudy, parts });
}
