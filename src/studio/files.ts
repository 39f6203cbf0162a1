/** The way in for the thread that reads and compares files: it loads no server. */
export type { ThreadTools } from "./thread/answer-in-thread.ts";
export { answerInThread } from "./thread/answer-in-thread.ts";
