import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { planOf } from '../../accounts/limits.ts';
import { answer, errors } from '../resource/schema-parts.ts';
import { toUsageBody, UsageBody } from './usage-schemas.ts';
import type { Services } from '../services.ts';

export const usageRoutes =
  ({ usage }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v1/usage',
      {
        schema: {
          tags: ['Speech-to-Video Sessions'],
          summary: 'Retrieve usage',
          description: 'Usage of the account this month, and the limits of its plan.',
          response: { 200: answer(UsageBody, 'The usage.'), ...errors(401) },
        },
      },
      async ({ account }) => {
        const [month, live] = await Promise.all([usage.thisMonth(account), usage.live(account)]);
        return toUsageBody(account.plan, planOf(account), month, live);
      },
    );
  };
