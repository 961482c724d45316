import { readFile } from 'node:fs/promises';
import type { FastifyPluginAsync } from 'fastify';
import { BUILT_IN_VOICES } from '#protocol/voice/built-in-voices.ts';
import { recordedSentences } from '#protocol/voice/recorded-sentences.ts';
import { Fault } from '../../errors.ts';

/** Made by `npm run record-voices`. */
const recordings = new URL('../../../workers/agent/voices/recordings/', import.meta.url);

/** Recordings need no key, because pages play them. */
export const recordingRoutes = (): FastifyPluginAsync => async (app) => {
  app.get<{ Params: { id: string; index: string } }>(
    '/voices/:id/recordings/:index',
    { schema: { hide: true } },
    async ({ params }, reply) => {
      const voice = BUILT_IN_VOICES.find(({ id }) => id === params.id);
      const index = Object.keys(recordedSentences('')).find((key) => key === params.index);
      if (!voice || index === undefined) throw new Fault('not_found');
      return reply
        .type('audio/ogg')
        .header('cache-control', 'public, max-age=3600')
        .header('x-content-type-options', 'nosniff')
        .send(await readFile(new URL(`${voice.id}-${index}.ogg`, recordings)));
    },
  );
};
