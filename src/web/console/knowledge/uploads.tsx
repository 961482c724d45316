import { useEffect, useState } from 'react';
import { useSay } from '../parts/notices.tsx';
import { formatBytes } from '../parts/format.ts';
import { Problem } from '../parts/states.tsx';
import { useWrite } from '../service/queries.ts';
import { texts } from '../texts/texts.ts';
import { chunksOf, formatOf, newUpload, send } from './upload.ts';

const t = texts.knowledge;

/** `key`: of this choice, so that an upload stays the same one while others leave the list. */
export type ChosenFile = { key: number; file: File };

type UploadsProps = { files: ChosenFile[]; done: (key: number) => void };

/** Uploads in progress, and those that broke off. */
export function Uploads({ files, done }: UploadsProps) {
  if (files.length === 0) return null;
  return (
    <ul className="uploads" aria-label={t.uploading}>
      {files.map(({ key, file }) => (
        <li key={key}>
          <OneUpload file={file} done={() => done(key)} />
        </li>
      ))}
    </ul>
  );
}

function OneUpload({ file, done }: { file: File; done: () => void }) {
  const say = useSay();
  const [upload, setUpload] = useState(() => newUpload(file));
  const sending = useWrite(async () => {
    await send(upload, setUpload);
    say(t.uploaded(file.name));
    done();
  }, ['/v1/knowledge-files']);
  const { mutate } = sending;
  const isReadable = formatOf(file) !== null;
  useEffect(() => {
    if (isReadable) mutate();
  }, [isReadable, mutate]);

  const chunks = chunksOf(file);
  return (
    <>
      <p className="upload-name">
        {file.name} <span className="soft">{formatBytes(file.size)}</span>
      </p>
      {!isReadable && (
        <>
          <Problem error={new Error(t.wrongKind)} />
          <button type="button" className="button button-small" onClick={done}>
            {texts.states.close}
          </button>
        </>
      )}
      {sending.error && (
        <>
          <Problem error={sending.error} />
          <div className="actions">
            <button type="button" className="button button-small" onClick={() => mutate()}>
              {t.resume}
            </button>
            <button type="button" className="button button-small" onClick={done}>
              {texts.states.close}
            </button>
          </div>
        </>
      )}
      {sending.isPending && (
        <>
          <progress max={chunks} value={upload.sentChunks} aria-label={t.progress(file.name)} />
          {upload.sentChunks === chunks && <p className="soft">{t.reading}</p>}
        </>
      )}
    </>
  );
}
