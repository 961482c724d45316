import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { NO_MODELS } from '../../calls/abilities.ts';
import { answer, errors, IdParams } from '../resource/schema-parts.ts';
import { found } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';
import { AbilitiesBody, toAbilitiesBody } from './ability-schemas.ts';

const tags = ['Agents'];

export const abilityRoutes =
  ({ abilitiesIn, records: { agents } }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v1/agents/:id/abilities',
      {
        schema: {
          tags,
          summary: 'Retrieve abilities of agent',
          description:
            'Depends on the models of the agent and of the service, and on the connected agent workers.',
          params: IdParams,
          response: { 200: answer(AbilitiesBody, 'The abilities.'), ...errors(401, 404) },
        },
      },
      async ({ account, params }) => {
        const agent = found(await agents.find(account.id, params.id));
        return toAbilitiesBody((await abilitiesIn(account.pool))(agent));
      },
    );

    app.get(
      '/v1/abilities',
      {
        schema: {
          tags,
          summary: 'Retrieve abilities of the service',
          description: 'Those of an agent without models of its own.',
          response: { 200: answer(AbilitiesBody, 'The abilities.'), ...errors(401) },
        },
      },
      async ({ account }) => toAbilitiesBody((await abilitiesIn(account.pool))(NO_MODELS)),
    );
  };
