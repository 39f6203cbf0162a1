import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { DiffPart } from "../../../../../src/word-diff/index.ts";
import { wordDiff } from "../../../../../src/word-diff/index.ts";
import { wholeNumber } from "../data/figure.ts";

/** Characters of unchanged text that stay beside a change. */
const beside = 120;

/** A text as it differs from another one, word by word; long unchanged stretches are folded. */
export function Difference({
  before,
  after,
}: {
  readonly before: string;
  readonly after: string;
}): JSX.Element {
  const parts = useMemo(() => wordDiff(before, after), [before, after]);
  return (
    <div class="quoted" dir="auto">
      {parts.map((part, position) => (
        <Part
          key={position}
          part={part}
          isFirst={position === 0}
          isLast={position === parts.length - 1}
        />
      ))}
    </div>
  );
}

function Part({
  part: { kind, text },
  isFirst,
  isLast,
}: {
  readonly part: DiffPart;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}): JSX.Element {
  if (kind === "removed") return <del>{text}</del>;
  if (kind === "added") return <ins>{text}</ins>;
  return <Unchanged text={text} before={isFirst ? 0 : beside} after={isLast ? 0 : beside} />;
}

function Unchanged({
  text,
  before,
  after,
}: {
  readonly text: string;
  readonly before: number;
  readonly after: number;
}): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  // Folding less than this saves no line.
  if (isOpen || text.length < before + after + beside) return <span>{text}</span>;
  const folded = text.slice(before, text.length - after);
  return (
    <span>
      {text.slice(0, before)}
      <button type="button" class="fold" onClick={() => setOpen(true)}>
        … {wholeNumber(folded.length)} unchanged characters …
      </button>
      {text.slice(text.length - after)}
    </span>
  );
}
