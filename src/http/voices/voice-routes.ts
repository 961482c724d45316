import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { BUILT_IN_VOICES } from '#protocol/voice/built-in-voices.ts';
import { recordingPath } from '#protocol/voice/recorded-sentences.ts';
import { answer, errors, named } from '../resource/schema-parts.ts';
import type { Services } from '../services.ts';

export const VoiceBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    sex: Type.Enum(['female', 'male'], { type: 'string' }),
    language: Type.String({ description: 'The language that it speaks, such as `en`.' }),
    sample: Type.String({
      format: 'uri',
      description: 'Address of a recorded sentence (Ogg with Opus); needs no key.',
    }),
  },
  { $id: 'Voice', description: 'A voice that agent workers bring along.' },
);

export const VoiceList = Type.Object({ data: Type.Array(named(VoiceBody)) }, { $id: 'VoiceList' });

export const voiceRoutes =
  ({ baseUrl }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v1/voices',
      {
        schema: {
          tags: ['Agents'],
          summary: 'List voices',
          description:
            'Voices for agents without `tts`. The first is the default of avatars whose `voice` is null.',
          response: { 200: answer(VoiceList, 'All voices.'), ...errors(401) },
        },
      },
      async (request) => ({
        data: BUILT_IN_VOICES.map(({ id, name, sex, language }) => ({
          id,
          name,
          sex,
          language,
          sample: baseUrl(request) + recordingPath(id, 0),
        })),
      }),
    );
  };
