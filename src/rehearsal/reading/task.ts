import type { JsonObject, JsonSchema } from "../../contract/index.ts";

/** What an input is, judged by its shape and description. */
export type InputRole =
  | "conversation"
  | "passages"
  | "notes"
  | "queries"
  | "question"
  /** Sub-questions of earlier steps with their answers. */
  | "steps"
  /** A text that is to be judged, or taken apart. */
  | "response"
  /** What a response is compared with. */
  | "reference"
  | "text";

export interface InputField {
  /** As shown in the prompt; never judged unless there is no description. */
  readonly title: string;
  readonly description: string;
  readonly text: string;
  readonly role: InputRole;
}

/** What a text output is to hold, judged by its description. */
export type TextRole =
  | "reasoning"
  | "query"
  /** The next of several questions that lead to an answer, or a list of them all. */
  | "subquestion"
  /** Text as a document that answers might have it. */
  | "passage"
  /** Words out of the question, and out of what was said before. */
  | "terms"
  /** Single claims of a text. */
  | "statement"
  | "findings"
  | "missing"
  | "suggestions"
  | "clarification"
  | "instruction"
  | "answer";

export interface OutputField {
  /** Key in the JSON object. */
  readonly key: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly role: TextRole;
}

export interface Demonstration {
  readonly inputs: readonly InputField[];
  readonly outputs: JsonObject;
}

/** All that a request says, taken apart. */
export interface Task {
  readonly instruction: string;
  readonly inputs: readonly InputField[];
  /** Empty when plain text is asked. */
  readonly outputs: readonly OutputField[];
  readonly demonstrations: readonly Demonstration[];
  /** Everything in the prompt, in order. */
  readonly prompt: string;
}
