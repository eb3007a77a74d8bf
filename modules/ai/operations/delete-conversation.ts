import { audit, Database, defineOperation, fail, yup } from '@lyceum/core';
import { deleteConversation as deleteStored } from '../conversation/conversation-store.ts';
import { moduleId } from '../site-settings.ts';
import { conversationIdIn, conversationPath, retentionDays } from './conversation-path.ts';

export const deleteConversation = defineOperation({
  id: 'ai.delete-conversation',
  method: 'DELETE',
  path: 'svctutor/ai/v1/conversations/{conversation_id}',
  summary: 'Delete a conversation with all its messages',
  access: { can: 'manage_options' },
  input: { params: conversationPath },
  output: yup.object({ deleted: yup.boolean().required(), conversation_id: yup.string().required() }),
  errors: ['ai_conversation_not_found'],
  handle: async ({ params }, call) => {
    const conversation_id = conversationIdIn(params);
    await call.get(Database).transaction(async (trx) => {
      const days = retentionDays(call);
      if (!(await deleteStored(trx, call.site.blog_id, conversation_id, days))) {
        fail('ai_conversation_not_found');
      }
      await audit(trx, call, {
        module: moduleId,
        action: 'ai.delete_conversation',
        subject: `conversation:${conversation_id}`,
      });
    });
    return { deleted: true, conversation_id };
  },
});
