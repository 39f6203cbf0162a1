/** One message of a conversation, oldest first in a list of turns. */
export interface Turn {
  readonly speaker: "user" | "assistant";
  readonly text: string;
}
