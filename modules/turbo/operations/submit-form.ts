import { callerOf, defineOperation, existing, fail, RateLimits, reply, time, yup } from '@lyceum/core';
import { FormEntries } from '@lyceum/module/svctutor_form';
import { SubmissionBody } from '../submission/submission-body.ts';
import { Submissions } from '../submission/submissions.ts';
import { unkept } from './unkept.ts';

const perMinute = { name: 'turbo submit', points: 30, seconds: 60 };

const Submitted = yup.object({
  id: yup.string().uuid().required(),
  entry_id: yup.number().integer().required(),
  index: yup.number().integer().required(),
  form_id: yup.number().integer().required(),
  created_at: time().required(),
});

export const submitForm = defineOperation({
  id: 'turbo.submit-form',
  method: 'POST',
  path: 'svclms/turbo/v1/form-plugin/submit',
  summary: 'Hand in what somebody answered to a form',
  description:
    'With the same submission_id again nothing is stored, and the answer is that of the first time, with status 200.',
  access: { signedIn: true },
  contract: true,
  input: { body: SubmissionBody },
  maxBodyBytes: 2 * 1024 * 1024,
  success: 201,
  output: Submitted,
  errors: [
    'turbo_form_unavailable',
    'turbo_form_not_found',
    'turbo_page_not_found',
    'turbo_submission_conflict',
    'rest_too_many_requests',
  ],
  handle: async ({ body }, call) => {
    if (!call.state.isOn('svctutor_form')) fail('turbo_form_unavailable');
    await call.get(RateLimits).count(perMinute, `${callerOf(call).id}`);
    const { form_id, exportables, actionables, submission_id, page_id, language, locale } = body;
    const submission = {
      ...{ exportables, actionables },
      page_id: page_id ?? null,
      language: language ?? null,
      locale: locale ?? null,
    };
    const { answer, isRepeat } = await call
      .get(Submissions)
      .handIn(call, call.get(FormEntries), form_id, submission, submission_id?.toLowerCase() ?? null);
    return isRepeat ? existing(answer, { headers: unkept }) : reply(answer, { headers: unkept });
  },
});
