import type { ImageUrl, Passage, RoleOf, Turn } from "../contract/index.ts";

/**
 * The type of an argument that must match the inputs of a step. A matching argument keeps its type;
 * a mismatch becomes a sentence type that names the field and the mistake, which the compiler then
 * prints.
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
  : Misfit<NameOf<TName>, TGiven, TExpected>;

// A value that may be missing or null is not a mistake where the input may be too.
type Misfit<TPath extends string, TGiven, TExpected> = Mistake<
  TPath,
  Exclude<TGiven, Extract<TExpected, null | undefined>>,
  Exclude<TExpected, null | undefined>
>;

/** One sentence for each innermost key that differs. */
type Mistake<TPath extends string, TGiven, TExpected> = [TGiven, TExpected] extends [Keyed, Keyed]
  ? MistakesInKeys<TPath, TGiven, TExpected>
  : [TGiven, TExpected] extends [
        readonly (infer TGivenItem extends Keyed)[],
        readonly (infer TExpectedItem extends Keyed)[],
      ]
    ? MistakesInKeys<`${TPath}[]`, TGivenItem, TExpectedItem>
    : `espalier: input "${TPath}" takes ${Kind<TExpected>}, but got ${Kind<TGiven>}`;

type MistakesInKeys<TPath extends string, TGiven, TExpected> = {
  [K in keyof TExpected]-?: K extends keyof TGiven
    ? [TGiven[K]] extends [TExpected[K]]
      ? never
      : Misfit<`${TPath}.${NameOf<K>}`, TGiven[K], TExpected[K]>
    : undefined extends TExpected[K]
      ? never
      : `espalier: input "${TPath}" lacks "${NameOf<K>}"`;
}[keyof TExpected];

/** An object with keys: not a text, list or number. */
type Keyed = object & { readonly length?: never };

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
                : [TValue] extends [null]
                  ? "null"
                  : TValue extends object
                    ? "an object"
                    : "another type";

type StringKind<TValue extends string> = [RoleOf<TValue>] extends [never]
  ? string extends TValue
    ? "plain text"
    : `the label "${TValue}"`
  : RoleOf<TValue> extends RoleOf<ImageUrl>
    ? "an image"
    : `text in the role "${RoleOf<TValue>}"`;

type Plural<TItem> = TItem extends Passage
  ? "passages"
  : TItem extends string
    ? [RoleOf<TItem>] extends [never]
      ? "strings"
      : `texts in the role "${RoleOf<TItem>}"`
    : TItem extends number
      ? "numbers"
      : TItem extends readonly unknown[]
        ? "lists"
        : "objects";
