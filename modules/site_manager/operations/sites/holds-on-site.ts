import { type Call, CapabilityTable, callerOf, Database, readId } from '@lyceum/core';
import { MemberStore } from '../../member-store.ts';

/** Whether the caller's role on this site of the network, which need not be the call's, holds the capability. */
export async function holdsOnSite(call: Call, blogId: string, capability: string): Promise<boolean> {
  const id = readId(blogId);
  if (id === null) return false;
  const { network_id } = call.site;
  const caller = callerOf(call);
  const role = await call.get(MemberStore).role(call.get(Database).knex, network_id, id, caller.id);
  return call.get(CapabilityTable).holds(role, caller.super_admin, capability);
}
