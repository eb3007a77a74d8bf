import type { TableDeclaration } from '@lyceum/core';

const ofPackage = { package_id: 'module:embed_packages' } as const;

/** A copy of a site has the packages under addresses that nobody knows yet. */
export const tables: Readonly<Record<string, TableDeclaration>> = {
  embed_packages: {
    copy: 'rows',
    refs: { author_id: 'user' },
    fresh: ['token'],
    files: { folder: 'embed-packages/{id}' },
  },
  embed_package_files: { copy: 'rows', refs: ofPackage },
  embed_package_pages: { copy: 'rows', refs: ofPackage },
  embed_page_bindings: { copy: 'rows', refs: { page_id: 'post', ...ofPackage } },
  embed_package_remains: { copy: 'none' },
};
