/**
 * The same function of a text, keeping the answers of the latest texts: at most `most` texts, and
 * at most four million characters of them. Answers are shared and must not be changed.
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
    if (known.size >= most || length > mostCharacters) {
      known.clear();
      length = text.length;
    }
    const made = answer(text);
    known.set(text, made);
    return made;
  };
}

const mostCharacters = 4_000_000;
