import { defineOperation, Packages, yup } from '@lyceum/core';

const ids = () => yup.array().of(yup.string().required()).required();

const RescanResult = yup.object({
  loaded: ids(),
  updated: ids(),
  removed: ids(),
  errors: yup
    .array()
    .of(
      yup.object({
        path: yup.string().required(),
        id: yup.string().nullable().defined(),
        code: yup.string().required(),
        message: yup.string().required(),
      }),
    )
    .required(),
});

/** Longer than importing (10 s) and starting (10 s) a package take at most, with time for its migrations. */
const timeoutMs = 120_000;

export const rescanPackages = defineOperation({
  id: 'modules.rescan',
  method: 'POST',
  path: 'svc/modules/v1/modules/rescan',
  summary: 'Read the folders of packages now',
  description:
    'Loads packages that are new, takes changed ones in place of their predecessors, forgets those that are gone, ' +
    'and tries again those that failed. Answers when this process serves the result; other processes follow.',
  access: { can: 'manage_network_options', onSingleSite: 'manage_options' },
  output: RescanResult,
  timeoutMs,
  example: { answer: { loaded: ['polls'], updated: [], removed: [], errors: [] } },
  handle: (_input, call) => call.get(Packages).rescan(call),
});
