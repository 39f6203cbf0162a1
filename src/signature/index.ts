/**
 * The typed contract of one language-model step: fields in, fields out, and the instruction between
 * them. Knows zod and the canonical field description; knows nothing of prompts, servers or
 * programs. A signature is frozen on creation.
 */
export type {
  Field,
  FieldShape,
  ListShape,
  NumberShape,
  ObjectShape,
  RecordShape,
  TextShape,
  TupleShape,
  UnionShape,
} from "./schema/field-shape.ts";
export { arePlain, fieldType, shownShape } from "./schema/field-shape.ts";
export { describeFields } from "./shape-of.ts";
export type { TextOptions } from "./field-types.ts";
export { conversation, image, passages, rankedPassages, reasoning, text } from "./field-types.ts";
export type {
  FieldSchema,
  FieldSchemas,
  InputOf,
  OutputOf,
  ReceivedOf,
} from "./schema/field-values.ts";
export {
  imageFields,
  isImage,
  isImageSchema,
  refuseImages,
  takesImages,
  fieldFormat,
  signature,
} from "./signature.ts";
export type { InputExcess } from "./input-excess.ts";
export { inputExcess, longestText } from "./input-excess.ts";
export { jsonSchemaOf, longestReply } from "./json-schema.ts";
export type { FieldParser, Parsed } from "./parse-fields.ts";
export { fieldParser, fieldProblem, objectOf } from "./parse-fields.ts";
export type { Signature, SignatureDefinition } from "./signature.ts";
export type { Wired } from "./wired.ts";
