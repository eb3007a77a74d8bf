import { flag, id, idText, list, time, yup } from '@lyceum/core';

const TermLabel = yup.object({
  id: yup.number().integer().required(),
  name: yup.string().required(),
  slug: yup.string().required(),
});

/** A site as the API shows it. */
export const Site = yup.object({
  blog_id: yup.number().integer().required(),
  network_id: yup.number().integer().required(),
  title: yup.string().defined(),
  slug: yup.string().defined(),
  domain: yup.string().required(),
  path: yup.string().required(),
  description: yup.string().defined(),
  status_id: yup.number().integer().nullable().defined(),
  status: TermLabel.nullable().defined(),
  category_ids: yup.array().of(yup.number().integer().required()).required(),
  categories: yup.array().of(TermLabel.required()).required(),
  site_url: yup.string().required(),
  admin_url: yup.string().required(),
  registered: time().required(),
  last_updated: time().required(),
  public: flag().required(),
  archived: flag().required(),
  deleted: flag().required(),
  spam: flag().required(),
  mature: flag().required(),
  is_main_site: yup.boolean().required(),
  is_template: yup.boolean().required(),
  user_count: yup.number().integer(),
});

/** `include` of a query: `stats` adds `user_count`. */
export const include = () => list(yup.string<'stats'>().oneOf(['stats']).required(), 10);

export const siteParams = () => yup.object({ blog_id: idText() });

/** Fields that POST and PATCH share. */
export const siteFields = {
  description: yup.string().max(1000),
  public: flag(),
  status_id: id().nullable(),
  category_ids: list(id().required(), 50),
  is_template: yup.boolean(),
};

export const siteTitle = () => yup.string().min(1).max(200);
