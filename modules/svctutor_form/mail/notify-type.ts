/** The type of jobs that mail about an entry. */
export const notifyType = 'svctutor_form.notify';
