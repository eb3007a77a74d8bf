import { type Actor, Clock, Database, defineJob, type JobRun } from '@lyceum/core';
import { Checks } from '../checks.ts';
import { findLicenseById, markQueued } from '../license-store.ts';
import { Places } from '../places.ts';
import { standingOf } from '../standing.ts';

interface CheckPayload {
  readonly license_id: number;
}

const actorOf = ({ site }: JobRun<CheckPayload>): Actor => ({ site, user: null, ip: null, requestId: null });

/** Asks whether one license still holds. A server that cannot be reached is a result like any other. */
export const checkLicense = defineJob<CheckPayload>({
  id: 'license.check',
  title: 'Check a license',
  cancellable: false,
  run: async (job) => {
    const { knex } = job.get(Database);
    const { license_id } = job.payload;
    const license = await findLicenseById(knex, license_id);
    const places = job.get(Places);
    const ground = license && (await places.ground(license));
    const product = license && places.products.get(license.product_id);
    if (!license || !ground || !product) {
      await markQueued(knex, [license_id], null);
      return { status: null };
    }
    await job.get(Checks).run(actorOf(job), { ...ground, product }, license);
    await markQueued(knex, [license_id], null);
    const after = await findLicenseById(knex, license_id);
    const status = after && standingOf(after, ground.settings, job.get(Clock).now()).status;
    return { product_id: license.product_id, status };
  },
});
