import type { JSX } from "preact";
import { useContext, useState } from "preact/hooks";
import { Picture, Pictures, usePicture } from "./pictures.tsx";
import { wholeNumber } from "../data/figure.ts";

/** A browser lays out about this many characters at once without a pause. */
const maxAtOnce = 20_000;

/**
 * Text of a run, as it is: characters that hide or reorder others are shown as escapes. A very long
 * text is shown from its start, with a button for the rest.
 */
export function Quoted({ text }: { readonly text: string }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const picture = usePicture(text);
  if (picture !== undefined) return <Picture url={picture} name={text} />;
  const shown = isWhole ? text : text.slice(0, maxAtOnce);
  return (
    <div class="quoted" dir="auto">
      {shown}
      {shown.length < text.length && (
        <>
          {"… "}
          <button type="button" onClick={() => setWhole(true)}>
            Show all {wholeNumber(text.length)} characters
          </button>
        </>
      )}
    </div>
  );
}

/** A JSON value: texts as they are, an object field by field, anything else as JSON. */
export function QuotedJson({ value }: { readonly value: unknown }): JSX.Element {
  if (typeof value === "string") return <Quoted text={value} />;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return <Quoted text={JSON.stringify(value, null, 1) ?? "none"} />;
  }
  return (
    <dl class="fields">
      {Object.entries(value).map(([name, held]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <QuotedField value={held} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A text as it is, pictures of a list one after another, anything else as JSON. */
function QuotedField({ value }: { readonly value: unknown }): JSX.Element {
  const pictures = useContext(Pictures);
  if (typeof value === "string") return <Quoted text={value} />;
  const texts = Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  const isOfPictures =
    Array.isArray(value) &&
    texts.length === value.length &&
    texts.some((text) => Object.hasOwn(pictures, text));
  if (!isOfPictures) return <Quoted text={JSON.stringify(value, null, 1) ?? "none"} />;
  return (
    <>
      {texts.map((text, position) => (
        <Quoted key={position} text={text} />
      ))}
    </>
  );
}
