import { time, yup } from '@lyceum/core';

export const ApplicationPasswordRecord = yup.object({
  uuid: yup.string().uuid().required(),
  name: yup.string().required(),
  created_at: time().required(),
  last_used_at: time().nullable().defined(),
  last_ip: yup.string().nullable().defined(),
});
