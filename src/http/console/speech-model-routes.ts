import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import { LANGUAGES } from '#protocol/languages.ts';
import { NO_MODELS } from '../../calls/abilities.ts';
import { Fault } from '../../errors.ts';
import type { Installations } from '../../speech-models/installations.ts';
import { SPEECH_MODELS, type SpeechModel } from '../../speech-models/models.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { IdParams } from '../resource/schema-parts.ts';
import type { Services } from '../services.ts';
import { actorOf, requireSignIn } from './console-access.ts';

const SpeechModelBody = Type.Object({
  id: Type.String(),
  /** ISO 639-1. */
  languages: Type.Array(Type.String()),
  bytes: Type.Integer(),
  licence: Type.String(),
  source: Type.String(),
  state: Type.Enum(['missing', 'installing', 'installed', 'failed']),
  /** Share of the download, 0 to 1. */
  share: Type.Number(),
  problem: Type.Union([Type.String(), Type.Null()]),
});

const SpeechModels = Type.Object({
  /** Languages that agents without `stt` hear now. */
  heard: Type.Array(Type.String()),
  /** False: the caller is no operator, or agent workers have another DATA_DIR. */
  can_install: Type.Boolean(),
  /** The first of several models for a language is the better one. */
  data: Type.Array(SpeechModelBody),
});

/** The languages that agents hear, and the speech models of others. */
export const speechModelRoutes =
  ({ consoleAccess, abilitiesIn, installations, auditor }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/speech-models',
      { schema: { hide: true, response: { 200: SpeechModels } } },
      async (request, reply) => {
        const { person, account } = await requireSignIn(consoleAccess, request, reply);
        const abilitiesOf = await abilitiesIn(account?.pool ?? null);
        return {
          heard: LANGUAGES.filter((language) => abilitiesOf({ ...NO_MODELS, language }).hears),
          can_install: installations !== null && person.operatorSince !== null,
          data: SPEECH_MODELS.map((model) => toBody(model, installations)),
        };
      },
    );

    await app.register(async (bodiless) => {
      ignoreBodies(bodiless);
      bodiless.post<{ Params: { id: string } }>(
        '/speech-models/:id/install',
        { schema: { hide: true, params: IdParams, response: { 202: Type.Null() } } },
        async (request, reply) => {
          const { person } = await requireSignIn(consoleAccess, request, reply);
          if (person.operatorSince === null || !installations) throw new Fault('forbidden');
          const { id } = request.params;
          const model = SPEECH_MODELS.find((each) => each.id === id);
          if (!model) throw new Fault('not_found');
          request.actor = actorOf(person);
          const entry = {
            action: 'speech_model.installed',
            targetId: id,
            accountId: null,
          } as const;
          await auditor.record(request, entry);
          installations.start(model);
          return reply.code(202).send(null);
        },
      );
    });
  };

function toBody(
  model: SpeechModel,
  installations: Installations | null,
): Static<typeof SpeechModelBody> {
  const { id, languages, bytes, licence, source } = model;
  const state = installations?.stateOf(model) ?? { type: 'missing' };
  return {
    id,
    languages: [...languages],
    bytes,
    licence,
    source,
    state: state.type,
    share: state.type === 'installing' ? state.share : 0,
    problem: state.type === 'failed' ? state.problem : null,
  };
}
