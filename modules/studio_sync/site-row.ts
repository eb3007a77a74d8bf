import { Addresses, type Call, yup } from '@lyceum/core';

/** Where the routes of this module lie. */
export const namespace = 'svc/studio-sync/v1';

/** A site as a studio lists it. */
export const SiteRow = yup.object({
  blog_id: yup.number().integer().required(),
  title: yup.string().defined(),
  site_url: yup.string().required(),
  api_url: yup.string().required(),
  admin_url: yup.string().required(),
  /** The one that the request was sent to. */
  current: yup.boolean().required(),
});

interface Place {
  readonly blog_id: number;
  readonly domain: string;
  readonly path: string;
  readonly title: string;
}

export function siteRow(call: Call, site: Place) {
  const addresses = call.get(Addresses);
  return {
    blog_id: site.blog_id,
    title: site.title,
    site_url: addresses.site(site),
    api_url: addresses.route(site, namespace),
    admin_url: addresses.admin(site),
    current: site.blog_id === call.currentSite.blog_id,
  };
}

export const siteExample = {
  blog_id: 1,
  title: 'Lyceum',
  site_url: 'https://lyceum.example/',
  api_url: 'https://lyceum.example/api/svc/studio-sync/v1',
  admin_url: 'https://lyceum.example/console/',
  current: true,
};
