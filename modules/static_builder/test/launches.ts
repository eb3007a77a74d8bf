import { randomUUID } from 'node:crypto';
import type { CourseServer } from './course-server.ts';
import { password, type RecordStoreServer } from './record-store.ts';

/** Extension by which systems of cmi5 tell their sessions apart. */
export const sessionId = 'https://w3id.org/xapi/cmi5/context/extensions/sessionid';

/** Where a system of xAPI sends a learner. */
export function xapiAddress(
  server: CourseServer,
  store: RecordStoreServer,
  given: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({ endpoint: store.endpoint, auth: password, ...given });
  return `${server.origin}/course/index.html?${query}`;
}

/** The same for cmi5, after the system wrote down what the unit will ask for. */
export function cmi5Address(
  server: CourseServer,
  store: RecordStoreServer,
  launch: {
    readonly actor: object;
    readonly registration: string;
    readonly unit: string;
    readonly data: Readonly<Record<string, unknown>>;
  },
): string {
  const agent = JSON.stringify(launch.actor);
  const { registration, unit } = launch;
  const state = new URLSearchParams({ activityId: unit, agent, registration, stateId: 'LMS.LaunchData' });
  const contextTemplate = {
    contextActivities: { grouping: [{ id: 'https://lms.example/au/9', objectType: 'Activity' }] },
    extensions: { [sessionId]: randomUUID() },
  };
  const data = { contextTemplate, launchMode: 'Normal', moveOn: 'Completed', ...launch.data };
  store.documents.set(`activities/state?${state}`, JSON.stringify(data));
  const fetch = store.fetchAddress();
  const query = new URLSearchParams({
    endpoint: store.endpoint,
    ...{ fetch, actor: agent, registration, activityId: unit },
  });
  return `${server.origin}/course/index.html?${query}`;
}
