import path from 'node:path';
import { startTestHost, type TestHost, type TestHostOptions } from '@lyceum/core/testing';

/** The host with the packages of this folder: parent, child (requires parent) and keeper (settings). */
export const startWithPackages = (options: TestHostOptions = {}): Promise<TestHost> =>
  startTestHost({
    modules: ['test_parent', 'test_child', 'test_keeper'],
    folders: [path.join(import.meta.dirname, 'packages')],
    ...options,
  });

export const modulesRoute = 'svc/modules/v1/modules';
