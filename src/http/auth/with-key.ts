import { documentRefusals } from '../errors/refusals.ts';
import { keepJournal } from '../requests/request-journal.ts';
import { registerResources, schemasOf, type Resource } from '../resource/resource.ts';
import { requireCaller } from './api-key.ts';
import { authRoutes } from './auth-routes.ts';

const REFUSALS = {
  401: 'The key is missing or unknown.',
  403: "Not permitted: kept for other accounts, not part of the plan, or an operator's key.",
  429: 'Too many requests or sessions: try again after the time in Retry-After.',
};

/** Resources whose callers have an API key, a page token or a cookie of the console. */
export const withKey = (resources: readonly Resource[]): Resource => ({
  schemas: schemasOf(resources),
  routes: [
    (services) => async (app) => {
      documentRefusals(app, REFUSALS);
      requireCaller(app, services);
      // Before the journal, which leaves it out.
      await app.register(authRoutes);
      keepJournal(app, services);
      await registerResources(app, resources, services);
    },
  ],
  // Each of the resources says so for itself.
  worksOnFullDisk: true,
});
