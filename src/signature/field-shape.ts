/**
 * What a field holds, in our own words: the canonical description that prompts, JSON schemas and
 * content hashes are made from. It depends on nothing a schema library may rename.
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
  /** Source of a regular expression, without flags but perhaps `unicode`. */
  readonly pattern?: string;
  /** The pattern is read with the flag `u`. */
  readonly unicode?: true;
  /** Name that zod gives a format which no pattern tells, such as `url`. */
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
  /** Ids of the author's own checks, since their code cannot be hashed. */
  readonly refinements: readonly string[];
}
