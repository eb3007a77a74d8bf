import { Clock, Database, type Provide, Storage } from '@lyceum/core';
import { PackageFiles } from './api.ts';
import { BindingStore } from './binding-store.ts';
import { ContentStore } from './content-store.ts';
import { PackageContents } from './package-contents.ts';
import { PackageStore } from './package-store.ts';
import { RemainsStore } from './remains-store.ts';

export const services = (provide: Provide) => [
  provide(PackageStore, [], () => new PackageStore()),
  provide(BindingStore, [Database], (db) => new BindingStore(db)),
  provide(RemainsStore, [], () => new RemainsStore()),
  provide(ContentStore, [Database], (db) => new ContentStore(db)),
  provide(
    PackageContents,
    [Database, Storage, ContentStore, RemainsStore, Clock],
    (db, storage, content, remains, clock) => new PackageContents({ db, storage, content, remains, clock }),
  ),
  provide(
    PackageFiles,
    [Database, BindingStore, ContentStore],
    (db, bindings, content) => new PackageFiles(db, bindings, content),
  ),
];
