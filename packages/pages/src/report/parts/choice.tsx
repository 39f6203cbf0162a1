import type { JSX } from "preact";
import { useId } from "preact/hooks";

export interface Option {
  readonly value: string;
  readonly text: string;
}

/** A labelled list to choose from. */
export function Choice({
  label,
  value,
  options,
  choose,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly choose: (value: string) => void;
}): JSX.Element {
  const id = useId();
  return (
    <div class="choice">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}
