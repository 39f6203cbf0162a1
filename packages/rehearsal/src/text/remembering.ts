/**
 * Memoizes a function of a text for the latest texts: at most `most` texts with at most four
 * million characters in total. Results are shared and must not be modified.
 */
export function remembering<TAnswer>(
  answer: (text: string) => TAnswer,
  { most }: { readonly most: number },
): (text: string) => TAnswer {
  const known = new Map<string, TAnswer>();
  let length = 0;
  return (text) => {
    const held = known.get(text);
    if (held !== undefined) return held;
    length += text.length;
    if (known.size >= most || length > maxCharacters) {
      known.clear();
      length = text.length;
    }
    const made = answer(text);
    known.set(text, made);
    return made;
  };
}

const maxCharacters = 4_000_000;
