import type { WorkLog } from "../run-folder/index.ts";
import type { OptimizerRun, Outside } from "../contract/optimizer.ts";

/** Answers of the outside, by the number of the question: a resumed run is told what it was told. */
export function outsideAnswers(log: WorkLog, now: () => Outside): OptimizerRun["outside"] {
  let question = 0;
  return (look) => {
    const number = ++question;
    const told = log.told(number) as ReturnType<typeof look> | undefined;
    if (told !== undefined) return told;
    const answer = look(now());
    log.addTold(number, answer);
    return answer;
  };
}
