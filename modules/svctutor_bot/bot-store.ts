import type { Database, NamedStatement } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Bot, Configuration, Kind } from './bot.ts';

const columns = ['id', 'blog_id', 'kind', 'name', 'enabled', 'configuration', 'created_at', 'modified_at'];

const byId: NamedStatement = {
  name: 'svctutor-bot-by-id',
  text: `select ${columns.join(', ')} from bots where id = $1 and blog_id = $2 and kind = $3`,
};

/** A bot of this kind on this site, without waiting for anybody. */
export async function findBot(db: Database, blogId: number, kind: Kind, id: number): Promise<Bot | null> {
  const [bot] = await db.lookUp<Bot>(byId, [id, blogId, kind]);
  return bot ?? null;
}

/** The bot as it is now, whoever asks; null when it is gone. */
export const findAnyBot = async (db: Database, id: number): Promise<Bot | null> =>
  (await db.knex('bots').where({ id }).first<Bot | undefined>(columns)) ?? null;

export const hasBot = async (sql: Knex, blogId: number, kind: Kind, id: number): Promise<boolean> =>
  (await sql('bots').where({ id, blog_id: blogId, kind }).first('id')) !== undefined;

/** The same, and nobody else changes it or takes messages for it until the transaction ends. */
export async function lockBot(
  trx: Knex.Transaction,
  blogId: number,
  kind: Kind,
  id: number,
): Promise<Bot | null> {
  const query = trx('bots').where({ id, blog_id: blogId, kind }).forUpdate();
  return (await query.first<Bot | undefined>(columns)) ?? null;
}

export async function listBots(
  sql: Knex,
  blogId: number,
  kind: Kind,
  limit: number,
  offset: number,
): Promise<{ bots: Bot[]; total: number }> {
  const [bots, total] = await Promise.all([
    sql('bots')
      .where({ blog_id: blogId, kind })
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .select<Bot[]>(columns),
    countBots(sql, blogId, kind),
  ]);
  return { bots, total };
}

export async function countBots(sql: Knex, blogId: number, kind: Kind): Promise<number> {
  const row = await sql('bots').where({ blog_id: blogId, kind }).count({ total: '*' }).first();
  return Number(row?.total ?? 0);
}

type NewBot = Pick<Bot, 'blog_id' | 'kind' | 'name' | 'enabled' | 'configuration'>;

export async function insertBot(trx: Knex.Transaction, bot: NewBot): Promise<Bot> {
  const row = { ...bot, configuration: JSON.stringify(bot.configuration) };
  const [inserted] = (await trx('bots').insert(row).returning(columns)) as Bot[];
  if (!inserted) throw new Error('The insertion of a bot returned no row.');
  return inserted;
}

interface BotChange {
  readonly name: string;
  readonly enabled: boolean;
  readonly configuration: Configuration;
}

export async function updateBot(trx: Knex.Transaction, id: number, change: BotChange): Promise<Bot> {
  const [row] = (await trx('bots')
    .where({ id })
    .update({
      ...change,
      configuration: JSON.stringify(change.configuration),
      modified_at: trx.raw('clock_timestamp()'),
    })
    .returning(columns)) as Bot[];
  if (!row) throw new Error('A bot that is locked is gone.');
  return row;
}

/** Takes chats and messages along. */
export async function deleteBot(trx: Knex.Transaction, id: number): Promise<void> {
  await trx('bots').where({ id }).delete();
}
