import { defineOperation, fail, id, json, moment, page, pageQuery, time, yup } from '@lyceum/core';
import { AuditStore } from '../audit-store.ts';
import { administrators } from '../rights.ts';

const AuditRow = yup.object({
  id: yup.number().integer().required(),
  at: time().required(),
  user_id: yup.number().integer().nullable().defined(),
  user_login: yup.string().nullable().defined(),
  ip: yup.string().nullable().defined(),
  request_id: yup.string().nullable().defined(),
  network_id: yup.number().integer().nullable().defined(),
  blog_id: yup.number().integer().nullable().defined(),
  module: yup.string().required(),
  action: yup.string().required(),
  scope: yup.string().nullable().defined(),
  subject: yup.string().required(),
  from: json().defined(),
  to: json().defined(),
});

export const listAudit = defineOperation({
  id: 'modules.list-audit',
  method: 'GET',
  path: 'svc/modules/v1/audit',
  summary: 'Who changed what, newest first',
  access: administrators,
  input: {
    query: yup.object({
      ...pageQuery(),
      module: yup.string().max(60),
      action: yup.string().max(100),
      user_id: id(),
      blog_id: id(),
      after: moment(),
      before: moment(),
    }),
  },
  paged: true,
  output: yup.array().of(AuditRow).required(),
  handle: async ({ query }, call) => {
    const whole = call.can('manage_network_options');
    const own = call.site.blog_id;
    if (!whole && query.blog_id !== undefined && query.blog_id !== own) fail('rest_forbidden');
    const { rows, total } = await call.get(AuditStore).list(
      {
        network_id: call.site.network_id,
        blog_id: whole || call.single ? (query.blog_id ?? null) : own,
        module: query.module,
        action: query.action,
        user_id: query.user_id,
        after: query.after,
        before: query.before,
      },
      query.per_page,
      (query.page - 1) * query.per_page,
    );
    return page(rows, total);
  },
});
