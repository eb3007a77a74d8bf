import { Clock, Jobs, type Provide, type Provider, State } from '@lyceum/core';
import { FormEntries } from './entries/form-entries.ts';
import { Catalogues } from './locale/catalogues.ts';

export const services = (provide: Provide): readonly Provider[] => [
  provide(FormEntries, [Jobs, Clock], (jobs, clock) => new FormEntries(jobs, clock)),
  provide(Catalogues, [State], (state) => new Catalogues(state)),
];
