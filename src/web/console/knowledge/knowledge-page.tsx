import './knowledge.css';
import { useRef, useState } from 'react';
import { Badge } from '../parts/badge.tsx';
import { DeleteButton } from '../parts/delete-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FileDrop } from '../parts/file-drop.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Reading } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Ago } from '../parts/time.tsx';
import { useMay } from '../service/me.ts';
import { useAll, useRead } from '../service/queries.ts';
import type {
  AvailableKnowledgeFile,
  ListedKnowledgeFile,
} from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { Uploads, type ChosenFile } from './uploads.tsx';

const t = texts.knowledge;

export function KnowledgePage() {
  const files = useAll<ListedKnowledgeFile>('/v1/knowledge-files');
  const canWrite = useMay('knowledge_files:write');
  const [chosen, setChosen] = useState<ChosenFile[]>([]);
  const choices = useRef(0);
  const choose = (files: readonly File[]) => {
    const added = files.map((file) => ({ key: (choices.current += 1), file }));
    setChosen((uploads) => [...uploads, ...added]);
  };
  return (
    <Page title={t.title} lede={t.lede}>
      {canWrite && (
        <>
          <FileDrop
            label={t.choose}
            words={[t.choose, t.drop]}
            hint={t.hint}
            accept=".txt,.md,.csv,.json,.html,.pdf,text/*,application/pdf"
            isMany
            give={choose}
          />
          <Uploads
            files={chosen}
            done={(key) => setChosen((uploads) => uploads.filter((upload) => upload.key !== key))}
          />
        </>
      )}
      <Reading query={files}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={t.none} text={t.noneText} />
          ) : (
            <Table label={t.title} columns={Object.values(t.columns)}>
              {data.map((file) => (
                <FileRow key={file.id} file={file} canWrite={canWrite} />
              ))}
            </Table>
          )
        }
      </Reading>
    </Page>
  );
}

function FileRow({ file, canWrite }: { file: ListedKnowledgeFile; canWrite: boolean }) {
  const { id, name, format, status, created_at } = file;
  const [isOpen, setOpen] = useState(false);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-label={t.columns.format} className="soft">
        {format}
      </td>
      <td data-label={t.columns.state}>
        <Badge tone={status === 'available' ? 'good' : 'waiting'}>{t.states[status]}</Badge>
      </td>
      <td data-label={t.columns.created} className="soft">
        <Ago at={created_at} />
      </td>
      <td>
        <div className="actions">
          {status === 'available' && (
            <button type="button" className="button button-small" onClick={() => setOpen(true)}>
              {t.view}
            </button>
          )}
          {canWrite && (
            <DeleteButton
              path={`/v1/knowledge-files/${id}`}
              changes={['/v1/knowledge-files']}
              title={t.deleteTitle(name)}
              text={t.deleteText}
              done={t.deleted}
            />
          )}
        </div>
        {isOpen && (
          <Dialog title={t.viewOf(name)} isSheet close={() => setOpen(false)}>
            <FileText id={id} />
          </Dialog>
        )}
      </td>
    </tr>
  );
}

function FileText({ id }: { id: string }) {
  const file = useRead<AvailableKnowledgeFile>(`/v1/knowledge-files/${id}`);
  return (
    <Reading query={file} lines={8}>
      {({ content }) => <p className="file-text">{content}</p>}
    </Reading>
  );
}
