import Type, { type Static } from 'typebox';
import { MAX_FILE_BYTES } from '../../knowledge/upload.ts';
import type { KnowledgeFile } from '../../records/knowledge/knowledge-files.ts';
import { isoTime, named, pageOf, Text, Time } from '../resource/schema-parts.ts';

/** Limit of inline text, in characters; uploaded text may be longer. */
const MAX_CONTENT = 500_000;
const MAX_CHUNK_NUMBER = 9_999;

const Format = Type.Enum(['text', 'pdf'], { type: 'string' });

export const KnowledgeFileRequest = Type.Object(
  {
    name: Text(1, 100),
    format: Format,
    content: Type.Optional({
      ...Text(1, MAX_CONTENT),
      description:
        'Text of a file with format `text`, which is then available at once. Without it, upload the file in chunks.',
    }),
  },
  { $id: 'KnowledgeFileRequest' },
);

const fields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  format: Format,
};

const ToUpload = Type.Object({
  ...fields,
  status: Type.Literal('to-upload', { description: 'Upload the chunks, then submit the file.' }),
  created_at: Time,
});

const Available = Type.Object({
  ...fields,
  status: Type.Literal('available'),
  content: Type.String({ description: 'The extracted text.' }),
  warning: Type.Optional(
    Type.String({
      description: 'Says that only a part of a PDF could be read. In the answer to its submit.',
    }),
  ),
  created_at: Time,
});

export const KnowledgeFileBody = Type.Union([ToUpload, Available], { $id: 'KnowledgeFile' });
export type KnowledgeFileBody = Static<typeof KnowledgeFileBody>;

export const AvailableKnowledgeFile = Type.Object(Available.properties, {
  $id: 'AvailableKnowledgeFile',
});

const ListedKnowledgeFile = Type.Object(
  {
    ...fields,
    status: Type.Enum(['to-upload', 'available'], { type: 'string' }),
    created_at: Time,
  },
  { $id: 'ListedKnowledgeFile', description: 'Without its text.' },
);

export const KnowledgeFilePage = pageOf(named(ListedKnowledgeFile), 'KnowledgeFilePage');

export const ChunkQuery = Type.Object({
  chunk_number: Type.Integer({
    minimum: 0,
    maximum: MAX_CHUNK_NUMBER,
    description:
      'Position of the chunk in the file, counted from 0; or from 1 if the file is submitted with `chunks`.',
  }),
});

export const SubmitQuery = Type.Object({
  chunks: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_CHUNK_NUMBER + 1,
      description: 'How many chunks were uploaded. Any other number of stored chunks is a 400.',
    }),
  ),
  size: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_FILE_BYTES,
      description: 'Bytes of all chunks together. Any other sum is a 400.',
    }),
  ),
});

export const toListedFile = (file: KnowledgeFile): Static<typeof ListedKnowledgeFile> => ({
  id: file.id,
  name: file.name,
  format: file.format,
  status: file.status,
  created_at: isoTime(file.createdAt),
});

export const toAvailableFile = (
  file: KnowledgeFile & { content: string; warning?: string },
): Static<typeof AvailableKnowledgeFile> => ({
  ...toListedFile(file),
  status: 'available',
  content: file.content,
  ...(file.warning && { warning: file.warning }),
});

export const toKnowledgeFileBody = (
  file: KnowledgeFile,
  content: string | null,
): KnowledgeFileBody =>
  content === null
    ? { ...toListedFile(file), status: 'to-upload' }
    : toAvailableFile({ ...file, content });

export const knowledgeFileSchemas = [
  KnowledgeFileRequest,
  KnowledgeFileBody,
  AvailableKnowledgeFile,
  ListedKnowledgeFile,
  KnowledgeFilePage,
];
