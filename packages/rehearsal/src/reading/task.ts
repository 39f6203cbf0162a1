import type { PastCall } from "./past-calls.ts";
import type { JsonObject, JsonSchema } from "../../../../src/contract/index.ts";

/** What an input is, judged by its shape and description. */
export type InputRole =
  | "conversation"
  | "passages"
  | "notes"
  | "queries"
  | "question"
  /** Sub-questions of earlier steps with their answers. */
  | "steps"
  /** A text to judge or to split up. */
  | "response"
  /** The text that a response is compared with. */
  | "reference"
  | "text";

export interface InputField {
  /** As shown in the prompt; decides the role only if there is no description. */
  readonly title: string;
  readonly description: string;
  readonly text: string;
  readonly role: InputRole;
}

/** What a text output should hold, judged by its description. */
export type TextRole =
  | "reasoning"
  | "query"
  /** The next of several questions that lead to an answer, or a list of all of them. */
  | "subquestion"
  /** A text as a document that answers might contain it. */
  | "passage"
  /** Words from the question and from earlier turns. */
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

/** The full content of a request, taken apart. */
export interface Task {
  readonly instruction: string;
  readonly inputs: readonly InputField[];
  /** Empty if plain text is requested. */
  readonly outputs: readonly OutputField[];
  readonly demonstrations: readonly Demonstration[];
  /** Calls of tools that earlier steps made; absent if tools are not mentioned. */
  readonly calls?: readonly PastCall[];
  /** Everything in the prompt, in order. */
  readonly prompt: string;
}
