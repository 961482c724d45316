import { useId, useState, type DragEvent } from 'react';
import { Icon } from './icon.tsx';

type FileDropProps = {
  label: string;
  /** On the button, and after it. */
  words: readonly [choose: string, drop: string];
  hint: string;
  accept: string;
  isMany?: boolean;
  give: (files: File[]) => void;
};

/** Files by a button, which the keyboard reaches, or by dropping them. */
export function FileDrop({ label, words, hint, accept, isMany = false, give }: FileDropProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const onDragOver = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div
      className="drop"
      data-over={isOver}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        give([...event.dataTransfer.files]);
      }}
    >
      <Icon name="plus" />
      <p>
        <label className="drop-choose">
          {words[0]}
          <input
            type="file"
            className="unseen"
            aria-label={label}
            aria-describedby={id}
            accept={accept}
            multiple={isMany}
            onChange={({ currentTarget }) => {
              give([...(currentTarget.files ?? [])]);
              // The same file may be chosen again.
              currentTarget.value = '';
            }}
          />
        </label>{' '}
        {words[1]}
      </p>
      <p id={id} className="soft">
        {hint}
      </p>
    </div>
  );
}
