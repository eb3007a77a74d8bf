import { Database, MetaKeys, Posts, type Provide, type Provider, State } from '@lyceum/core';
import { Courses } from './courses.ts';
import { CourseStore } from './courses-store.ts';

export const services = (provide: Provide): readonly Provider[] => [
  provide(CourseStore, [], () => new CourseStore()),
  provide(
    Courses,
    [Database, CourseStore, Posts, MetaKeys, State],
    (db, store, posts, metaKeys, state) => new Courses({ db, store, posts, metaKeys, state }),
  ),
];
