import { createContext } from "preact";
import type { JSX } from "preact";
import { useContext } from "preact/hooks";

/** The pictures that the page holds, by what stands for them in texts. */
export const Pictures = createContext<Readonly<Record<string, string>>>({});

/**
 * The picture for which a text stands, if the page holds it. Only data of formats that run nothing
 * are shown: an address would be asked for, and an SVG is a program.
 */
export function usePicture(text: string): string | undefined {
  const held = useContext(Pictures);
  const url = Object.hasOwn(held, text) ? held[text] : undefined;
  return url !== undefined && /^data:image\/(?:png|jpeg|webp|gif);base64,/.test(url)
    ? url
    : undefined;
}

export function Picture({
  url,
  name,
}: {
  readonly url: string;
  readonly name: string;
}): JSX.Element {
  return (
    <figure class="picture">
      <img src={url} alt="" />
      <figcaption>{name}</figcaption>
    </figure>
  );
}
