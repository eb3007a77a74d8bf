import { defineOperation, type Operation, yup } from '@lyceum/core';
import { Bots } from '../bots.ts';
import type { Desk } from '../desk.ts';
import { botPath } from './called-bot.ts';

export const deleteBot = ({ kind, namespace, collection, one }: Desk): Operation =>
  defineOperation({
    id: `svctutor_bot.delete-${kind}`,
    method: 'DELETE',
    path: `${namespace}/${collection}/{id}`,
    summary: `Delete a ${one} with its messages; what it has not said yet is not said`,
    access: { can: 'manage_options' },
    input: { params: botPath },
    output: yup.object({ deleted: yup.boolean().required(), id: yup.number().integer().required() }),
    errors: ['svctutor_bot_not_found'],
    handle: async ({ params }, call) => {
      const { id } = await call.get(Bots).remove(call, kind, params.id);
      return { deleted: true, id };
    },
  });
