import type { ApiDocument } from '../../../src/web/docs/api/document.ts';
import { composePages, type DocsPage } from '../../../src/web/docs/compose/pages.ts';
import { buildApp } from '../api/build-app.ts';

/** The document of a service with an admin. */
export async function apiDocument(): Promise<ApiDocument> {
  const service = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD: 'a long password' } });
  const { body } = await service.app.server.inject({ url: '/openapi.json' });
  await service.close();
  return JSON.parse(body) as ApiDocument;
}

/** All pages of the documentation. */
export const docsPages = async (): Promise<DocsPage[]> => composePages(await apiDocument());
