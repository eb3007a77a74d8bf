import type { Operation } from '@lyceum/core';
import { listMembers } from './list-members.ts';
import { putMember } from './put-member.ts';
import { removeMember } from './remove-member.ts';

export const operations: readonly Operation[] = [listMembers, putMember, removeMember];
