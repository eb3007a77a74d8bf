import { callerOf, defineOperation, provedBy, reply, word, yup } from '@lyceum/core';
import { bearer } from '../bearer.ts';
import { exampleId } from '../connection.ts';
import { namespace } from '../site-row.ts';

export const getStatus = defineOperation({
  id: 'studio_sync.get-status',
  method: 'GET',
  path: `${namespace}/status`,
  summary: 'The connection, for older studios',
  description: 'New ones ask `desktop/status`; the answer says so by the header `Deprecation`.',
  access: { secret: bearer },
  contract: true,
  output: yup.object({
    success: yup.boolean().required(),
    connected: yup.boolean().required(),
    connection_id: yup.string().required(),
    site_url: yup.string().required(),
    site_name: yup.string().defined(),
    user: yup
      .object({ id: yup.number().integer().required(), displayName: yup.string().defined() })
      .required(),
    version: word('v1').required(),
  }),
  example: {
    answer: {
      success: true,
      connected: true,
      connection_id: exampleId,
      site_url: 'https://lyceum.example/',
      site_name: 'Lyceum',
      user: { id: 5, displayName: 'Ann' },
      version: 'v1',
    },
  },
  handle: (_input, call) => {
    const { id, display_name } = callerOf(call);
    const answer = {
      success: true,
      connected: true,
      connection_id: provedBy(call, bearer).connection_id,
      site_url: call.site.url,
      site_name: call.site.title,
      user: { id, displayName: display_name },
      version: 'v1',
    };
    return reply(answer, { headers: { Deprecation: 'true' } });
  },
});
