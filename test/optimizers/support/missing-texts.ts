import type { Study } from "espalier";

/** Every relevant passage has its text in the collection, else the feedback could not show it. */
export async function missingTexts(study: Study): Promise<readonly string[]> {
  const examples = Object.values(study.trainset.splits).flat();
  const trace = { path: "", children: [] } as never;
  const scores = [];
  for (const example of examples) {
    scores.push(await study.objective.doScore({ example, output: { passages: [] }, trace }));
  }
  return scores.flatMap((score) =>
    score.kind === "scored" && /text is not at hand/.test(score.feedback ?? "")
      ? [score.feedback ?? ""]
      : [],
  );
}
