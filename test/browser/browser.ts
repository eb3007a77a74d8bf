import { execFile } from 'node:child_process';
import { access, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';

const run = promisify(execFile);

/**
 * Unpacks the browser that the npm package carries, once per version and user, and returns its folder. The
 * package unpacks into the temporary folder of its process and takes half a file for a whole one: so a process
 * and a folder of its own, which gets its name when it is complete.
 */
async function unpackedBrowser(): Promise<string> {
  const { resolve } = createRequire(import.meta.url);
  const { version } = createRequire(import.meta.url)(
    path.join(path.dirname(resolve('@sparticuz/chromium')), '../../package.json'),
  ) as { version: string };
  const folder = path.join(tmpdir(), `lyceum-browser-${version}-${process.getuid?.() ?? 0}`);
  const isThere = (): Promise<boolean> =>
    access(path.join(folder, 'chromium')).then(
      () => true,
      () => false,
    );
  if (await isThere()) return folder;
  const making = await mkdtemp(path.join(tmpdir(), 'lyceum-browser-'));
  const unpack = "import('@sparticuz/chromium').then((package_) => package_.default.executablePath())";
  await run(process.execPath, ['--eval', unpack], {
    cwd: import.meta.dirname,
    // The second one asks for the libraries that a bare system lacks, too.
    env: { ...process.env, TMPDIR: making, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
  await writeFile(path.join(making, 'fonts.conf'), fontsIn(folder));
  try {
    await rename(making, folder);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    if (!(await isThere())) throw error;
  }
  return folder;
}

/** The package's own list names folders of another system, and a bare system has no font at all. */
const fontsIn = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;

/** A headless Chromium; the tests close it. Nothing but the project's npm packages is needed. */
export async function openBrowser(): Promise<Browser> {
  const folder = await unpackedBrowser();
  return chromium.launch({
    executablePath: path.join(folder, 'chromium'),
    // Its own sandbox refuses to start as root.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  });
}

/** What a page asked for and complained about, filled while it runs. */
export interface Watched {
  readonly page: Page;
  /** Addresses outside `origin` that the page asked for; none of them is let through. */
  readonly foreign: string[];
  /** Uncaught errors of its scripts. */
  readonly errors: string[];
  /** Answers with a status of 400 or more. */
  readonly failed: string[];
}

/** A new page that reaches `origin` and nothing else. */
export async function watchedPage(
  browser: Browser,
  origin: string,
  size: { readonly width: number; readonly height: number },
): Promise<Watched> {
  const page = await browser.newPage({ viewport: size });
  const watched: Watched = { page, foreign: [], errors: [], failed: [] };
  page.on('pageerror', (error) => watched.errors.push(error.message));
  page.on('response', (response) => {
    if (response.status() >= 400) watched.failed.push(`${response.status()} ${response.url()}`);
  });
  await page.route('**/*', async (route) => {
    const url = route.request().url();
    if (url.startsWith(`${origin}/`) || /^(data|blob):/.test(url)) return route.continue();
    watched.foreign.push(url);
    return route.abort();
  });
  return watched;
}
