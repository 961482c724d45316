/* Uploads one knowledge file in chunks. */
import { call } from '../service/service.ts';
import type { KnowledgeFile } from '../../../clients/typescript/src/generated/models.ts';

/** Small enough to show progress on a slow line, and to repeat little after a break. */
const CHUNK_BYTES = 1024 * 1024;

const ROOT = '/v1/knowledge-files';

/** An upload that can go on where it broke off. */
export type Upload = { file: File; id: string | null; sentChunks: number };

export const newUpload = (file: File): Upload => ({ file, id: null, sentChunks: 0 });

export const chunksOf = ({ size }: File): number => Math.max(1, Math.ceil(size / CHUNK_BYTES));

export const formatOf = ({ name, type }: File): 'text' | 'pdf' | null => {
  if (type === 'application/pdf' || /\.pdf$/i.test(name)) return 'pdf';
  return type.startsWith('text/') || /\.(txt|md|csv|json|html?)$/i.test(name) ? 'text' : null;
};

/** Calls `report` after each step, so that a broken upload can be continued from the last one. */
export async function send(start: Upload, report: (upload: Upload) => void): Promise<void> {
  let upload = start;
  const step = (change: Partial<Upload>) => {
    upload = { ...upload, ...change };
    report(upload);
  };
  const { file } = upload;
  if (upload.id === null) {
    const knowledgeFile = await call<KnowledgeFile>('POST', ROOT, {
      name: file.name.slice(0, 100),
      format: formatOf(file) ?? 'text',
    });
    step({ id: knowledgeFile.id });
  }
  const path = `${ROOT}/${upload.id}`;
  const count = chunksOf(file);
  while (upload.sentChunks < count) {
    const number = upload.sentChunks;
    const bytes = file.slice(number * CHUNK_BYTES, (number + 1) * CHUNK_BYTES);
    await call('PUT', `${path}/upload?chunk_number=${number}`, bytes);
    step({ sentChunks: number + 1 });
  }
  await call('POST', `${path}/submit?size=${file.size}`);
}
