import { roles, time, yup } from '@lyceum/core';

/** A member as the API shows him. */
export const MemberRecord = yup.object({
  id: yup.number().integer().required(),
  login: yup.string().required(),
  email: yup.string().required(),
  display_name: yup.string().defined(),
  nicename: yup.string().required(),
  role: yup.string().required(),
  registered: time().required(),
});

/** A role of a site. */
export const role = () => yup.string().oneOf(roles);
