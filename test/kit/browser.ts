import type { Browser } from 'playwright-core';

/**
 * A headless Chromium for tests of modules; they close it. Loaded when it is asked for: the browser's driver would
 * cost every other test file its time.
 */
export async function openBrowser(): Promise<Browser> {
  const kit = await import('../browser/browser.ts');
  return kit.openBrowser();
}
