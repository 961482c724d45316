/* Answers with the text of a knowledge file, piece by piece. */
import type { FastifyReply } from 'fastify';
import type { KnowledgeFile } from '../../records/knowledge/knowledge-files.ts';
import type { StoredText } from '../../records/knowledge/knowledge-texts.ts';
import type { Services } from '../services.ts';
import { toAvailableFile, toListedFile } from './knowledge-file-schemas.ts';

type Pieces = Pick<Services['records']['knowledgeFiles'], 'piece'>;

type FileWithWarning = KnowledgeFile & { warning?: string };

/** UTF-8 of less is answered at once, with its length. */
const LONG_BYTES = 256 * 1024;

export const sendFile =
  ({ records, longAnswers }: Pick<Services, 'records' | 'longAnswers'>) =>
  async (reply: FastifyReply, file: FileWithWarning & { text: StoredText }) => {
    const pieces = piecesOf(records.knowledgeFiles, file.text.id);
    const { accountId } = file;
    if (file.text.size > LONG_BYTES)
      return longAnswers.send({ accountId }, reply, jsonOf(file, pieces));
    let content = '';
    for await (const piece of pieces) content += piece;
    return toAvailableFile({ ...file, status: 'available', content });
  };

export async function* piecesOf(files: Pieces, textId: string): AsyncGenerator<string> {
  for (let number = 0; ; number += 1) {
    const piece = await files.piece(textId, number);
    if (piece === null) return;
    yield piece;
  }
}

/** The fields in the order of `AvailableKnowledgeFile`. */
async function* jsonOf(
  file: FileWithWarning,
  pieces: AsyncIterable<string>,
): AsyncGenerator<Buffer> {
  const { created_at: createdAt, ...fields } = toListedFile({ ...file, status: 'available' });
  yield Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"content":"`);
  for await (const piece of pieces) yield Buffer.from(JSON.stringify(piece).slice(1, -1));
  const { warning } = file;
  const warned = warning === undefined ? '' : `"warning":${JSON.stringify(warning)},`;
  yield Buffer.from(`",${warned}"created_at":${JSON.stringify(createdAt)}}`);
}
