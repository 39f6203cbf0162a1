/** One message of a conversation. Lists of turns are oldest first. */
export interface Turn {
  readonly speaker: "user" | "assistant";
  readonly text: string;
}
