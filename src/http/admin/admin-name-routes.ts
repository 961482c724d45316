import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Admins } from '../../accounts/admins/admins.ts';
import type { AuditedRecords } from '../../records/audited-records.ts';
import type { AdminRecords } from '../../records/admins/admins.ts';
import type { Auditor } from '../audit/auditor.ts';
import { adminDoc } from './admin-schemas.ts';
import {
  AdminBody,
  AdminChanges,
  AdminPage,
  AdminRequest,
  toAdminBody,
} from './admin-name-schemas.ts';
import { answer, errors, IdParams, named } from '../resource/schema-parts.ts';
import { deleteRoute, found, listRoute, retrieveRoute } from '../resource/resource-routes.ts';

export type AdminNameParts = {
  admins: Pick<Admins, 'hash' | 'make' | 'change'>;
  adminRecords: Pick<AdminRecords, 'find' | 'page'>;
  auditor: Auditor;
};

export const adminNameRoutes =
  ({ admins, adminRecords, auditor }: AdminNameParts): FastifyPluginAsyncTypebox =>
  async (app) => {
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
        const passwordHash = await admins.hash(password);
        const admin = await auditor.create(
          request,
          (records) => admins.make(name, passwordHash, records.admins),
          (made) => ({ action: 'admin.created', targetId: made.id, after: toAdminBody(made) }),
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
      read: (_request, page) => adminRecords.page(page),
      toBody: toAdminBody,
    });

    retrieveRoute(app, '/admin/admins/:id', {
      schema: {
        ...adminDoc,
        summary: 'Retrieve administrator',
        response: { 200: answer(AdminBody, 'The administrator.'), ...errors(404) },
      },
      find: ({ params }) => adminRecords.find(params.id),
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
        const change = {
          ...(name !== undefined && { name }),
          ...(password !== undefined && { passwordHash: await admins.hash(password) }),
        };
        const newSecrets = password === undefined ? [] : ['password'];
        const admin = found(
          await auditor.around(
            request,
            { ...audited('admin.updated', id), newSecrets },
            (records) => admins.change(id, change, records.admins),
          ),
        );
        request.log.info({ adminId: id }, 'administrator changed');
        return toAdminBody(admin);
      },
    );

    await deleteRoute(app, '/admin/admins/:id', {
      schema: {
        ...adminDoc,
        summary: 'Delete administrator',
        description: 'Ends all sign-ins of the administrator.',
        response: errors(404),
      },
      remove: (request) => {
        const { id } = request.params;
        return auditor.around(request, audited('admin.deleted', id), (records) =>
          records.admins.remove(id),
        );
      },
    });
  };

const audited = (action: 'admin.updated' | 'admin.deleted', targetId: string) => ({
  action,
  targetId,
  async read({ admins }: AuditedRecords) {
    const admin = await admins.find(targetId);
    return admin && toAdminBody(admin);
  },
});
