import { containing } from '@lyceum/core';
import type { Knex } from 'knex';
import { nameKey, type Preset, type PresetStatus } from './preset.ts';

/** What lists go by; ties by id. */
export const presetOrders = ['name', 'created_at', 'modified_at'] as const;

/** Which presets of a site a list has; absent fields leave nothing out. */
export interface PresetFilter {
  readonly elementType?: string | undefined;
  readonly statuses: readonly PresetStatus[];
  readonly isDefault?: boolean | undefined;
  /** Part of the name, in any case. */
  readonly search?: string | undefined;
  readonly orderBy: (typeof presetOrders)[number];
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

/** The columns of a preset that are written; the others follow from them or never change. */
export type PresetChanges = Partial<
  Pick<Preset, 'name' | 'settings' | 'is_default' | 'status' | 'modified_at'>
>;
export type NewPreset = Omit<Preset, 'id'> & { readonly blog_id: number };

const columns = 'id name slug element_type settings is_default status created_at modified_at'.split(' ');

/** Nobody's id stands for an account that is gone. */
const shown = (sql: Knex) => [...columns, sql.raw('coalesce(author_id, 0) as author_id')];

const written = (row: PresetChanges): Record<string, unknown> => ({
  ...row,
  ...(row.name !== undefined && { name_key: nameKey(row.name) }),
  ...(row.settings && { settings: JSON.stringify(row.settings) }),
});

/** Reads and writes presets. */
export class PresetStore {
  async find(sql: Knex, blogId: number, id: number): Promise<Preset | null> {
    const row = await sql('style_presets').where({ id, blog_id: blogId }).first(shown(sql));
    return (row as Preset | undefined) ?? null;
  }

  /** Those that the filter leaves, and how many there are: two queries. */
  async list(
    sql: Knex,
    blogId: number,
    filter: PresetFilter,
  ): Promise<{ readonly items: Preset[]; readonly total: number }> {
    const query = sql('style_presets').where('blog_id', blogId).whereIn('status', filter.statuses);
    if (filter.elementType !== undefined) query.where('element_type', filter.elementType);
    if (filter.isDefault !== undefined) query.where('is_default', filter.isDefault);
    if (filter.search) query.whereLike('name_key', containing(nameKey(filter.search)));
    const counted = await query.clone().count({ total: '*' }).first();
    query.orderBy(filter.orderBy === 'name' ? 'name_key' : filter.orderBy, filter.order);
    query.orderBy('id', filter.order).limit(filter.limit).offset(filter.offset);
    const items = (await query.select(shown(sql))) as Preset[];
    return { items, total: Number((counted as { total: number } | undefined)?.total ?? 0) };
  }

  async countPublished(sql: Knex, blogId: number): Promise<number> {
    const query = sql('style_presets').where({ blog_id: blogId, status: 'publish' });
    const counted = await query.count({ presets: '*' }).first();
    return Number(counted?.presets ?? 0);
  }

  /** The published preset for these elements that has this name, but for one. */
  async namesake(
    sql: Knex,
    blogId: number,
    { element_type, name }: Pick<Preset, 'element_type' | 'name'>,
    exceptId: number,
  ): Promise<number | null> {
    const row = await sql('style_presets')
      .where({ blog_id: blogId, element_type, name_key: nameKey(name), status: 'publish' })
      .whereNot('id', exceptId)
      .first('id');
    return (row as { id: number } | undefined)?.id ?? null;
  }

  /** Which of these slugs are taken on the site. */
  async takenSlugs(sql: Knex, blogId: number, slugs: readonly string[]): Promise<ReadonlySet<string>> {
    const query = sql('style_presets').where('blog_id', blogId).whereIn('slug', slugs);
    return new Set(await query.pluck<string[]>('slug'));
  }

  /** Takes the mark off the default for these elements, if there is one. */
  async clearDefault(trx: Knex.Transaction, blogId: number, elementType: string, at: string): Promise<void> {
    await trx('style_presets')
      .where({ blog_id: blogId, element_type: elementType, is_default: true })
      .update({ is_default: false, modified_at: at });
  }

  async insert(trx: Knex.Transaction, preset: NewPreset): Promise<Preset> {
    // Null for a user whose account goes at this moment.
    const author_id = trx.raw('(select id from users where id = ? for key share)', [preset.author_id]);
    const rows = await trx('style_presets')
      .insert({ ...preset, ...written(preset), author_id })
      .returning(shown(trx));
    return rows[0] as Preset;
  }

  async update(trx: Knex.Transaction, id: number, changes: PresetChanges): Promise<Preset> {
    const rows = await trx('style_presets').where({ id }).update(written(changes)).returning(shown(trx));
    return rows[0] as Preset;
  }
}
