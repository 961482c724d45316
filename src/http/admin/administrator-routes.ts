import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { adminDoc } from './admin-schemas.ts';
import {
  AdminBody,
  AdminChanges,
  AdminPage,
  AdminRequest,
  toAdminBody,
} from './administrator-schemas.ts';
import { answer, errors, IdParams, named } from '../resource/schema-parts.ts';
import { memberChanges } from '../people/change-members.ts';
import { deleteRoute, found, listRoute, retrieveRoute } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

const group = 'admins';

export const administratorRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { people, records, auditor } = services;
    const members = memberChanges(services, 'admin', toAdminBody);

    app.post(
      '/admin/admins',
      {
        schema: {
          ...adminDoc,
          summary: 'Create administrator',
          description: 'Administrators sign in with their name and password.',
          body: named(AdminRequest),
          response: { 201: answer(AdminBody, 'The administrator.'), ...errors(409, 422) },
        },
      },
      async (request, reply) => {
        const { name, password } = request.body;
        const passwordHash = await people.hash(password, name);
        const admin = await auditor.create(
          request,
          (records) => people.addAdmin(name, passwordHash, records.people),
          (person) => ({
            action: 'admin.created',
            targetId: person.id,
            after: toAdminBody(person),
          }),
        );
        request.log.info({ adminId: admin.id }, 'administrator created');
        return reply.code(201).send(toAdminBody(admin));
      },
    );

    listRoute(app, '/admin/admins', {
      schema: {
        ...adminDoc,
        summary: 'List administrators',
        description: 'Most recent first. The shared password is not among them.',
        response: { 200: answer(AdminPage, 'One page.'), ...errors(422) },
      },
      read: (_request, page) => records.people.page(group, page),
      toBody: toAdminBody,
    });

    retrieveRoute(app, '/admin/admins/:id', {
      schema: {
        ...adminDoc,
        summary: 'Retrieve administrator',
        response: { 200: answer(AdminBody, 'The administrator.'), ...errors(404) },
      },
      find: ({ params }) => records.people.findMember(group, params.id),
      toBody: toAdminBody,
    });

    app.patch(
      '/admin/admins/:id',
      {
        schema: {
          ...adminDoc,
          summary: 'Change administrator',
          description: 'Omitted fields keep their values. A new password ends all sign-ins.',
          params: IdParams,
          body: named(AdminChanges),
          response: { 200: answer(AdminBody, 'The administrator.'), ...errors(404, 409, 422) },
        },
      },
      async (request) => {
        const { id } = request.params;
        const { name, password } = request.body;
        const admin = found(await records.people.findMember(group, id));
        const change = {
          ...(name !== undefined && { name }),
          ...(password !== undefined && {
            passwordHash: await people.hash(password, name ?? admin.name, admin),
          }),
        };
        const changed = await members.change(request, { group, id }, change);
        request.log.info({ adminId: id }, 'administrator changed');
        return changed;
      },
    );

    await deleteRoute(app, '/admin/admins/:id', {
      schema: {
        ...adminDoc,
        summary: 'Delete administrator',
        description: 'Ends all sign-ins of the administrator.',
        response: errors(404),
      },
      remove: (request) => members.remove(request, { group, id: request.params.id }),
    });
  };
