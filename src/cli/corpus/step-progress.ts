import type { IndexProgress } from "../../retrieval/index.ts";
import { timedProgressLine } from "../terminal/progress-line.ts";

/** A progress line for each step of a build, one after the other. */
export function stepProgress(
  onBuild: () => void,
): Disposable & { readonly onProgress: (progress: IndexProgress) => void } {
  let step: IndexProgress["step"] | undefined;
  let line: ReturnType<typeof timedProgressLine> | undefined;
  return {
    onProgress: (progress) => {
      if (step !== progress.step) {
        line?.[Symbol.dispose]();
        if (step === undefined) onBuild();
        line = timedProgressLine(labels[progress.step]);
        ({ step } = progress);
      }
      line?.show(progress);
    },
    [Symbol.dispose]: () => line?.[Symbol.dispose](),
  };
}

const labels: Readonly<Record<IndexProgress["step"], string>> = {
  index: "passages indexed",
  embed: "passages embedded",
  link: "passages linked",
};
