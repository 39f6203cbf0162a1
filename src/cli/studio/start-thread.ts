import { Worker } from "node:worker_threads";

export interface StudioThreadData {
  /** Files of studies. */
  readonly studies: readonly string[];
}

/**
 * Starts the thread that reads and compares what a studio shows.
 *
 * @param execArgv as of a process. @default those of this one
 */
export function startThread(data: StudioThreadData, execArgv?: readonly string[]): Worker {
  return new Worker(new URL(`studio-thread${extension}`, import.meta.url), {
    workerData: data,
    ...(execArgv && { execArgv: [...execArgv] }),
  });
}

/** The extension of this module: `.ts` from source, `.js` in the build. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."));
