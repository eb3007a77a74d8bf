import packageJson from '../package.json' with { type: 'json' };

/** Version of the host, as in the API's description of itself. */
export const version: string = packageJson.version;
