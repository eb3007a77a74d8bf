import { Clock, Jobs, Posts, PostTypes, type Provide, type Provider, State } from '@lyceum/core';
import { FormEntries } from './entries/form-entries.ts';
import { FormMarkup } from './form/form-markup.ts';
import { Catalogues } from './locale/catalogues.ts';

export const services = (provide: Provide): readonly Provider[] => [
  provide(FormEntries, [Jobs, Clock], (jobs, clock) => new FormEntries(jobs, clock)),
  provide(FormMarkup, [Posts, PostTypes], (posts, types) => new FormMarkup(posts, types)),
  provide(Catalogues, [State], (state) => new Catalogues(state)),
];
