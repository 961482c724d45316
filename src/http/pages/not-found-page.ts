import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageHeaders } from './page-headers.ts';

/** The documentation's page of unknown addresses, which has its search. */
const builtPage = fileURLToPath(new URL('../../web/dist/docs/404.html', import.meta.url));

/**
 * Answers a browser that opened an unknown path. False for programs, which get JSON, and while the
 * documentation is not built.
 */
export async function sendNotFoundPage(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  file = builtPage,
): Promise<boolean> {
  const isForPeople = /\btext\/html\b/.test(headers.accept ?? '');
  if (!isForPeople || !['GET', 'HEAD'].includes(method)) return false;
  const html = await readFile(file).catch(() => null);
  if (html === null) return false;
  await reply.code(404).headers(pageHeaders([])).type('text/html; charset=utf-8').send(html);
  return true;
}
