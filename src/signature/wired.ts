import type { Passage, RoleOf, Turn } from "../contract/index.ts";

/**
 * The type of an argument that must hold what a step takes. What fits is accepted as it is; what does
 * not fit is asked to be a sentence that names the field and the mistake, which is what the compiler
 * then prints.
 */
export type Wired<TGiven, TInput> = [TGiven, Exclude<keyof TGiven, keyof TInput>] extends [
  TInput,
  never,
]
  ? TGiven
  : Corrected<TGiven, TInput>;

type Corrected<TGiven, TInput> = {
  readonly [K in keyof TInput]: K extends keyof TGiven
    ? Checked<K, TGiven[K], TInput[K]>
    : TInput[K];
} & {
  readonly [
    K in Exclude<keyof TGiven, keyof TInput>
  ]: `espalier: "${NameOf<K>}" is not an input of this step`;
};

type Checked<TName, TGiven, TExpected> = [TGiven] extends [TExpected]
  ? TExpected
  : `espalier: input "${NameOf<TName>}" takes ${Kind<TExpected>}, but was given ${Kind<TGiven>}`;

type NameOf<TName> = TName extends string ? TName : "?";

// Order matters: a text role is a string, and passages are a list.
type Kind<TValue> = [TValue] extends [never]
  ? "nothing"
  : undefined extends TValue
    ? "a value that may be missing"
    : TValue extends readonly Passage[]
      ? "passages"
      : TValue extends readonly Turn[]
        ? "a conversation"
        : TValue extends readonly (infer TItem)[]
          ? `a list of ${Plural<TItem>}`
          : TValue extends string
            ? StringKind<TValue>
            : TValue extends number
              ? "a number"
              : TValue extends boolean
                ? "true or false"
                : "another type";

type StringKind<TValue extends string> = [RoleOf<TValue>] extends [never]
  ? string extends TValue
    ? "plain text"
    : `the label "${TValue}"`
  : `text in the role "${RoleOf<TValue>}"`;

type Plural<TItem> = TItem extends Passage
  ? "passages"
  : TItem extends string
    ? [RoleOf<TItem>] extends [never]
      ? "strings"
      : `texts in the role "${RoleOf<TItem>}"`
    : TItem extends number
      ? "numbers"
      : "objects";
