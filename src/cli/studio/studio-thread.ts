/** Runs in a thread of its own: reads and compares what a studio shows. */
import { parentPort, workerData } from "node:worker_threads";
import { answerInThread } from "../../studio/files.ts";
import { readSource } from "../compare/read-source.ts";
import type { StudioThreadData } from "./start-thread.ts";
import { namedStudies } from "./named-studies.ts";

if (parentPort === null) throw new Error("This module is the entry of a worker thread.");
const { studies } = workerData as StudioThreadData;
answerInThread(parentPort, { readSource, studiesOn: namedStudies(studies) });
