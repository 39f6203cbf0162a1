/**
 * Characters that are invisible or combine with the preceding letter, as the inside of a character
 * class with the flag `u`: a model reads a word through them, so an expression must too.
 */
export const unseenMarks: string = String.raw`\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800`;
