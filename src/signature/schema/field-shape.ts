import type { Json } from "../../contract/index.ts";

/**
 * The canonical description of a field, from which prompts, JSON schemas and content hashes are
 * made. It depends on no name that a schema library may change.
 */
export type FieldShape =
  | TextShape
  | { readonly kind: "label"; readonly options: readonly string[] }
  | NumberShape
  | { readonly kind: "boolean" }
  /** Literals that are not text. */
  | { readonly kind: "constant"; readonly values: readonly (number | boolean | null)[] }
  | ListShape
  | TupleShape
  | ObjectShape
  | RecordShape
  | UnionShape
  | { readonly kind: "nullable"; readonly of: FieldShape }
  /** Ranked ones carry a score. */
  | { readonly kind: "passages"; readonly ranked?: true }
  | { readonly kind: "conversation" }
  /** An input alone: a picture's address or `data:` URL. */
  | { readonly kind: "image" }
  /** A recursive shape, by its name in the field's `definitions`. */
  | { readonly kind: "reference"; readonly to: string };

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
  readonly multipleOf?: number;
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

/** A list whose places have shapes of their own. */
export interface TupleShape {
  readonly kind: "tuple";
  readonly items: readonly FieldShape[];
  /** What may follow; absent: nothing. */
  readonly rest?: FieldShape;
}

/** An object with keys of the model's choice. */
export interface RecordShape {
  readonly kind: "record";
  /** Always a text. */
  readonly keys: FieldShape;
  readonly values: FieldShape;
}

export interface UnionShape {
  readonly kind: "union";
  readonly of: readonly FieldShape[];
  /** The key of these objects that tells them apart. */
  readonly key?: string;
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
  /** The value of an absent field. */
  readonly default?: Json;
  /** The recursive shapes of the field, by name. */
  readonly definitions?: Readonly<Record<string, FieldShape>>;
}
