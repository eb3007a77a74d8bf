import { Outbound, type Provide, type Provider } from '@lyceum/core';
import { Embedders, standardModel } from './embedders.ts';
import { BuiltinModel } from './providers/builtin-model.ts';

export const services = (provide: Provide): readonly Provider[] => [
  provide(BuiltinModel, [], () => new BuiltinModel(standardModel)),
  provide(Embedders, [Outbound, BuiltinModel], (outbound, model) => new Embedders(outbound, model)),
];
