import type { Knex } from 'knex';
import type { Build } from './build.ts';

/** The key in a course's meta that names its favourite build. */
const key = 'favourite_build_id';

/** What builds and course records know of each other. */
export class CourseStore {
  /** Which of the builds their course names as its favourite. One query. */
  async favourites(
    sql: Knex,
    builds: readonly Pick<Build, 'id' | 'blog_id' | 'build_course_id'>[],
  ): Promise<ReadonlySet<number>> {
    const ids = builds.filter(({ build_course_id }) => build_course_id !== 0).map(({ id }) => id);
    if (ids.length === 0) return new Set();
    const rows = (await sql('static_builds as b')
      .join('posts as p', (join) => {
        join.on('p.id', 'b.build_course_id').andOn('p.blog_id', 'b.blog_id').andOnVal('p.type', 'course');
      })
      .whereRaw('b.id = any(?) and p.meta -> ? = to_jsonb(b.id)', [ids, key])
      .select('b.id')) as { id: number }[];
    return new Set(rows.map(({ id }) => id));
  }

  /** Makes the build the one favourite of its course. */
  async mark(trx: Knex.Transaction, { id, blog_id, build_course_id }: Build): Promise<void> {
    await trx('posts')
      .where({ id: build_course_id, blog_id, type: 'course' })
      .update({ meta: trx.raw('meta || jsonb_build_object(?::text, ?::int)', [key, id]) });
  }

  /** The course has no favourite any more, if it was this build. */
  async unmark(
    trx: Knex.Transaction,
    { id, blog_id, build_course_id }: Pick<Build, 'id' | 'blog_id' | 'build_course_id'>,
  ): Promise<void> {
    await trx('posts')
      .where({ id: build_course_id, blog_id, type: 'course' })
      .whereRaw('meta -> ? = to_jsonb(?::int)', [key, id])
      .update({ meta: trx.raw('meta - ?::text', [key]) });
  }

  /** Whether there is such a course outside the trash. It stays until the transaction ends. */
  async isCourse(sql: Knex, blogId: number, id: number): Promise<boolean> {
    const query = sql('posts').where({ id, blog_id: blogId, type: 'course' }).whereNot('status', 'trash');
    return (await query.first('id')) !== undefined;
  }
}
