import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Admins } from '../../../accounts/admins/admins.ts';
import type { AdminRecords } from '../../../records/admins/admins.ts';
import type { Auditor } from '../../audit/auditor.ts';
import { adminDoc } from '../../schemas/admin.ts';
import {
  AdminBody,
  AdminChanges,
  AdminPage,
  AdminRequest,
  toAdminBody,
} from '../../schemas/admins.ts';
import { answer, errors, IdParams, named } from '../../schemas/common.ts';
import { deleteRoute, found, listRoute, retrieveRoute } from '../resource.ts';

export type AdminNameParts = {
  admins: Pick<Admins, 'make' | 'change'>;
  adminRecords: Pick<AdminRecords, 'find' | 'page' | 'remove'>;
  auditor: Auditor;
};

export const adminNameRoutes =
  (parts: AdminNameParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { admins, adminRecords, auditor } = parts;

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
        const admin = await admins.make(name, password);
        request.log.info({ adminId: admin.id }, 'administrator created');
        const body = toAdminBody(admin);
        await auditor.record(request, { action: 'admin.created', targetId: admin.id, after: body });
        return reply.code(201).send(body);
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
          ...(password !== undefined && { password }),
        };
        const newSecrets = password === undefined ? [] : ['password'];
        const admin = await auditor.around(
          request,
          { ...audited(parts, 'admin.updated', id), newSecrets },
          async () => found(await admins.change(id, change)),
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
        return auditor.around(request, audited(parts, 'admin.deleted', id), () =>
          adminRecords.remove(id),
        );
      },
    });
  };

const audited = (
  { adminRecords }: AdminNameParts,
  action: 'admin.updated' | 'admin.deleted',
  targetId: string,
) => ({
  action,
  targetId,
  async read() {
    const admin = await adminRecords.find(targetId);
    return admin && toAdminBody(admin);
  },
});
