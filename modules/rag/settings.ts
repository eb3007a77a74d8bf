import { type SettingDeclaration, yup } from '@lyceum/core';

/** Chunks that each of the two searches brings to the fusion, where the site does not say otherwise. */
export const standardCandidates = 50;

/** Cosine below which a chunk has nothing to do with the question, where the site does not say otherwise. */
export const standardSimilarity = 0.1;

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  rag_export_enabled: {
    title: 'Administrators may look into the store',
    schema: yup.boolean().required(),
    default: false,
    scope: 'site',
  },
  search_candidates: {
    title: 'Chunks that each search finds before they are fused',
    schema: yup.number().integer().min(10).max(200).required(),
    default: standardCandidates,
    scope: 'site',
  },
  min_similarity: {
    title: 'Least cosine of a chunk to the question',
    schema: yup.number().min(0).max(1).required(),
    default: standardSimilarity,
    scope: 'site',
  },
};
