/* Agent workers read the briefs of their calls and report the lines of the conversation. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  briefPath,
  CallAllowance,
  CallBrief,
  CallLine,
  CallSpending,
  linePath,
  Passages,
  PassagesRequest,
  passagesPath,
  pictureRefusalPath,
  spendingPath,
  WORKER_ID_HEADER,
  WORKER_SECRET_HEADER,
} from '#protocol/call-brief.ts';
import { mayUseId } from '#protocol/worker/worker-id.ts';
import { Fault } from '../../errors.ts';
import { whileConnected } from '../plumbing/while-connected.ts';
import type { Services } from '../services.ts';

/** Fits the longest line when JSON escapes every character as 12 bytes. */
const LINE_BODY_LIMIT = 256 * 1024;

const CallParams = Type.Object({ callId: Type.String({ minLength: 1, maxLength: 100 }) });
const LineParams = Type.Object({
  ...CallParams.properties,
  lineId: Type.String({ minLength: 1, maxLength: 100 }),
});

export const workerCallRoutes =
  ({ workerCalls, workerTokens, limits }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRequest', async (request: FastifyRequest) => {
      const grant = await workerTokens.check(request.headers.authorization);
      if (!grant) {
        limits.countStranger(request);
        throw new Fault('api_key_invalid', { detail: 'A worker token is required.' });
      }
      const { kind, tokenHash } = grant;
      const secret = textOf(request.headers[WORKER_SECRET_HEADER]);
      const isOwn = mayUseId(workerOf(request), { kind: 'agent', tokenHash, secret });
      // As for a call of another worker.
      if (kind === 'avatar' || !isOwn) throw new Fault('not_found');
    });

    app.get(
      briefPath(':callId'),
      { schema: { hide: true, params: CallParams, response: { 200: CallBrief } } },
      async (request) => workerCalls.brief(request.params.callId, workerOf(request)),
    );

    app.put(
      linePath(':callId', ':lineId'),
      {
        bodyLimit: LINE_BODY_LIMIT,
        schema: { hide: true, params: LineParams, body: CallLine },
      },
      async (request, reply) => {
        const { callId, lineId } = request.params;
        await workerCalls.keepLine(callId, workerOf(request), lineId, request.body);
        return reply.code(204).send();
      },
    );

    app.put(
      spendingPath(':callId'),
      {
        schema: {
          hide: true,
          params: CallParams,
          body: CallSpending,
          response: { 200: CallAllowance },
        },
      },
      async (request) => {
        const { callId } = request.params;
        return workerCalls.reportSpending(callId, workerOf(request), request.body);
      },
    );

    app.put(
      pictureRefusalPath(':callId'),
      { schema: { hide: true, params: CallParams } },
      async (request, reply) => {
        await workerCalls.refusePictures(request.params.callId, workerOf(request));
        return reply.code(204).send();
      },
    );

    app.post(
      passagesPath(':callId'),
      {
        schema: {
          hide: true,
          params: CallParams,
          body: PassagesRequest,
          response: { 200: Passages },
        },
      },
      async (request, reply) => {
        const { callId } = request.params;
        const { question } = request.body;
        return workerCalls.passages(callId, workerOf(request), question, whileConnected(reply));
      },
    );
  };

/** Throws `not_found` without a worker id: such a worker holds no call. */
function workerOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const workerId = textOf(headers[WORKER_ID_HEADER]);
  if (workerId === undefined) throw new Fault('not_found');
  return workerId;
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;
