/* Answers with the text of a knowledge file, piece by piece. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KnowledgeFile } from '../../records/knowledge/knowledge-files.ts';
import type { StagedText } from '../../records/knowledge/knowledge-texts.ts';
import { paced } from '../../work/paced.ts';
import { Places } from '../../work/places.ts';
import type { Services } from '../services.ts';
import { toAvailableFile, toListedFile } from './knowledge-file-schemas.ts';

type Pieces = Pick<Services['records']['knowledgeFiles'], 'piece'>;

/** Long answers of one account at a time, each with its unread part in memory. */
export const LONG_ANSWERS_PER_ACCOUNT = 4;

/** UTF-8 of less is answered at once, with its length. */
const LONG_BYTES = 256 * 1024;

export const longAnswers = () =>
  new Places({
    perAccount: LONG_ANSWERS_PER_ACCOUNT,
    taken: `${LONG_ANSWERS_PER_ACCOUNT} long files are being sent to this account. Request this one when one of them has arrived.`,
    retryAfterSeconds: 5,
  });

export const sendFile =
  (places: Places, { records, answerTurns }: Pick<Services, 'records' | 'answerTurns'>) =>
  async (
    { account, log }: FastifyRequest,
    reply: FastifyReply,
    file: KnowledgeFile & { text: StagedText },
  ) => {
    const pieces = piecesOf(records.knowledgeFiles, file.text.id);
    if (file.text.size <= LONG_BYTES) {
      let content = '';
      for await (const piece of pieces) content += piece;
      return toAvailableFile({ ...file, status: 'available', content });
    }
    const leave = places.take(account.id);
    const body = paced(answerTurns, account.id, jsonOf(file, pieces));
    const stream = Readable.from(body, { objectMode: false, highWaterMark: LONG_BYTES });
    stream.once('close', leave);
    stream.once('error', (err) => log.warn({ err, fileId: file.id }, 'answer broke off'));
    return reply.type('application/json; charset=utf-8').send(stream);
  };

export async function* piecesOf(files: Pieces, textId: string): AsyncGenerator<string> {
  for (let number = 0; ; number += 1) {
    const piece = await files.piece(textId, number);
    if (piece === null) return;
    yield piece;
  }
}

/** The fields in the order of `AvailableKnowledgeFile`. */
async function* jsonOf(file: KnowledgeFile, pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  const { created_at: createdAt, ...fields } = toListedFile({ ...file, status: 'available' });
  yield Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"content":"`);
  for await (const piece of pieces) yield Buffer.from(JSON.stringify(piece).slice(1, -1));
  yield Buffer.from(`","created_at":${JSON.stringify(createdAt)}}`);
}
