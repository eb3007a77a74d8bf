import { expect } from 'chai';
import { type Hostile, hostileArchives } from './hostile-archives.ts';
import { PackageKit, smallExport, space } from './package-kit.ts';
import { zipOf } from './zip-maker.ts';

/** Of the process that serves; a bomb that is unpacked in memory takes gigabytes. */
const mostMemory = 150 * 1024 * 1024;
/** Of the processor, the test's own client included: the clock also counts what else the machine does. */
const mostMs = 2_000;

/** By how much the process grew at most while something was going on. */
class PeakMemory {
  readonly #before = process.memoryUsage.rss();
  #peak = this.#before;
  readonly #timer = setInterval(() => this.#look(), 5);

  #look(): void {
    this.#peak = Math.max(this.#peak, process.memoryUsage.rss());
  }

  stop(): number {
    this.#look();
    clearInterval(this.#timer);
    return this.#peak - this.#before;
  }
}

describe('embed_packages: a hostile archive', function () {
  this.timeout(120_000);
  let kit: PackageKit;
  let archives: Hostile[];
  before(async () => {
    kit = await PackageKit.start();
    archives = hostileArchives();
  });
  after(() => kit.lyceum.stop());

  it('is refused as a whole, with the reason, in time, in little memory, and leaves nothing', async () => {
    const before = await kit.files();
    for (const { name, content, reasons } of archives) {
      const memory = new PeakMemory();
      const start = process.cpuUsage();
      const { body } = await kit.upload(content).expect(400);
      const { user, system } = process.cpuUsage(start);
      const ms = (user + system) / 1_000;
      const grown = memory.stop();
      expect(body.code, name).to.equal('embed_packages_invalid_zip');
      expect(reasons, name).to.include(body.data.reason);
      expect(ms, name).to.be.below(mostMs);
      expect(grown, name).to.be.below(mostMemory + 2 * content.length);
    }
    expect(await kit.files()).to.deep.equal(before);
    for (const table of ['embed_packages', 'embed_package_files', 'embed_package_remains']) {
      expect(await kit.count(table), table).to.equal(0);
    }
  });

  it('leaves the content that a package has as it is', async () => {
    const record = await kit.package(smallExport);
    const files = await kit.files();
    for (const { name, content } of archives.filter((one) => one.content.length < 100_000)) {
      const { body } = await kit.replace(record.id, content).expect(400);
      expect(body.code, name).to.equal('embed_packages_invalid_zip');
    }
    expect(await kit.files()).to.deep.equal(files);
    expect((await kit.admin.get(`${space}/packages/${record.id}`)).body).to.deep.equal(record);
    expect((await kit.ask(record.url)).status).to.equal(200);
  });

  it('is told by the name of the entry', async () => {
    const { body } = await kit.upload(zipOf({ 'index.html': 'x', 'a/../../evil.txt': 'x' })).expect(400);
    expect(body.data).to.deep.equal({ status: 400, reason: 'unsafe_path', entry: 'a/../../evil.txt' });
  });
});
