import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { stillPermitted } from '../auth/still-permitted.ts';
import { filesOf } from './account-files.ts';
import { breakOffWhenRevoked, whilePermitted } from './revocable.ts';
import { RunningExports } from './running-exports.ts';
import { tar } from './tar.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { errors } from '../resource/schema-parts.ts';
import type { Services } from '../services.ts';

export const exportRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { auditor, clock, baseUrl, chatBase, longAnswers } = services;
    ignoreBodies(app);
    const running = new RunningExports();

    app.post(
      '/v1/export',
      {
        schema: {
          tags: ['Account'],
          summary: 'Export account',
          description:
            'Everything that belongs to the account as a tar archive: lists as lines of JSON in the form of this API, texts of knowledge files, photos and built avatars. Secrets are left out. One export at a time.',
          response: {
            200: { description: 'The archive.', content: { 'application/gzip': { schema: {} } } },
            ...errors(401, 409),
          },
        },
      },
      async (request, reply) => {
        const { id: accountId } = request.account;
        const end = running.begin(accountId);
        try {
          await auditor.record(request, { action: 'account.exported', targetId: accountId });
        } catch (error) {
          end();
          throw error;
        }
        const files = filesOf({
          records: { ...services.records, sessions: services.sessions },
          accountId,
          baseUrl: baseUrl(request),
          chatBase: chatBase(request),
        });
        const isPermitted = stillPermitted(request, services, 'export', 'write');
        const permitted = whilePermitted(files, isPermitted);
        const archive = pipeline(
          Readable.from(longAnswers.paced(accountId, tar(permitted, clock.now())), {
            objectMode: false,
          }),
          createGzip(),
          (err) => {
            end();
            if (err) request.log.warn({ err }, 'export broke off');
          },
        );
        breakOffWhenRevoked(archive, services, isPermitted);
        const day = new Date(clock.now()).toISOString().slice(0, 10);
        return reply
          .type('application/gzip')
          .header('content-disposition', `attachment; filename="troupe-export-${day}.tar.gz"`)
          .header('cache-control', 'no-store')
          .send(archive);
      },
    );
  };
