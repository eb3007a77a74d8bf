import { record, yup } from '@lyceum/core';
import { settingsFault } from './settings-fault.ts';

const longestName = 100;

/** Bytes of a whole request; settings alone may have half of them. */
export const mostBodyBytes = 512 * 1024;

function isName(name: string | undefined): boolean {
  if (name === undefined) return true;
  const { length } = name.trim();
  return length >= 1 && length <= longestName;
}

/** Comes with white space around it, which is for the operation to take off. */
export const nameField = () =>
  yup
    .string()
    .test('name', `must have 1 to ${longestName} characters besides white space at its ends`, isName)
    .meta({ jsonSchema: { type: 'string', minLength: 1, maxLength: longestName } });

const elementForm = /^(container|section|column|widget:[a-z0-9_-]{1,64})$/;

/** An element of a page-builder document, in its words. */
export const elementType = () =>
  yup
    .string()
    .matches(elementForm, 'must be container, section, column, or widget: and the type of a widget')
    .meta({ jsonSchema: { type: 'string', pattern: elementForm.source } });

/** The settings of an element. */
export const settingsField = () =>
  record().test('settings', (value, context) => {
    const fault = value === undefined ? null : settingsFault(value);
    return fault === null || context.createError({ message: fault });
  });

/** A hash of settings as the API shows it, in either case. */
export const hashField = () =>
  yup
    .string()
    .matches(/^[0-9a-fA-F]{64}$/, 'must be 64 hex digits')
    .meta({ jsonSchema: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' } });
