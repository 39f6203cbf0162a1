import { withCandidate } from "../load/candidate-file.ts";
import { studyData, studyText } from "./describe-study.ts";
import { loadStudy } from "../load/load-study.ts";
import { print } from "../terminal/terminal.ts";

/** Prints what a study declares, with a candidate's components where one is named. */
export async function showStudy(
  path: string,
  { candidate, json }: { readonly candidate?: string | undefined; readonly json: boolean },
): Promise<void> {
  const declared = await loadStudy(path);
  const study = { ...declared, program: await withCandidate(declared.program, candidate) };
  print(json ? JSON.stringify(studyData(study)) : studyText(study));
}
