import type { ErrorTable } from '@lyceum/core';

export const errors = {
  style_presets_not_found: { status: 404, message: 'Preset not found.' },
  style_presets_exists: { status: 409, message: 'There is a preset of this name for such elements.' },
  style_presets_limit: { status: 409, message: 'The site has as many presets as it may have.' },
  style_presets_conflict: {
    status: 409,
    message: 'Somebody changed the settings of the preset since you read them.',
  },
} as const satisfies ErrorTable;
