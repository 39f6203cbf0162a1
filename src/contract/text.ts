declare const textRole: unique symbol;

/**
 * A string that plays one role in a program (`"question"`, `"thought"`, `"notes"`...).
 *
 * A plain `string` is accepted for every role, so literals and user input need no ceremony. Text of
 * one role is not assignable to another role, so wiring the wrong output into an input does not
 * compile. The marker exists in types only.
 */
export type Text<TRole extends string = string> = string & { readonly [textRole]?: TRole };

/** The role of a text type; `never` for a plain `string`. */
export type RoleOf<TText> = TText extends { readonly [textRole]?: infer TRole }
  ? string extends TRole
    ? never
    : Exclude<TRole, undefined>
  : never;

/** An image: a `data:` URL with its content, or the URL from which a model's server loads it. */
export type ImageUrl = Text<"image-url">;
