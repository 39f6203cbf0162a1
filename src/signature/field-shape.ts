/**
 * The canonical description of a field, from which prompts, JSON schemas and content hashes are
 * made. It depends on no name that a schema library may change.
 */
export type FieldShape =
  | TextShape
  | { readonly kind: "label"; readonly options: readonly string[] }
  | NumberShape
  | { readonly kind: "boolean" }
  | ListShape
  | ObjectShape
  | { readonly kind: "nullable"; readonly of: FieldShape }
  /** Ranked ones carry a score. */
  | { readonly kind: "passages"; readonly ranked?: true }
  | { readonly kind: "conversation" };

export interface TextShape {
  readonly kind: "text";
  readonly role?: string;
  /** In UTF-16 code units, as zod counts. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Source of a regular expression; the only possible flag is `u`, see `unicode`. */
  readonly pattern?: string;
  /** The pattern has the flag `u`. */
  readonly unicode?: true;
  /** zod's name for a format that has no pattern, such as `url`. */
  readonly format?: string;
}

export interface NumberShape {
  readonly kind: "number";
  readonly integer: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

export interface ListShape {
  readonly kind: "list";
  readonly items: FieldShape;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface ObjectShape {
  readonly kind: "object";
  readonly fields: readonly Field[];
  /** Other keys are refused, not dropped. */
  readonly strict?: true;
}

/** One named input or output. */
export interface Field {
  readonly name: string;
  /** What the field means, for the model; may be empty. */
  readonly description: string;
  readonly shape: FieldShape;
  readonly isOptional: boolean;
  /** Ids of the author's custom checks, since their code cannot be hashed. */
  readonly refinements: readonly string[];
}
