// More than 300 lines: nearly every case needs the host process at the end, which can be killed.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  startEmbeddedPostgres,
} from '../../core/db/embedded.ts';
import { findBinaries } from '../../core/db/embedded-binaries.ts';
import { createCluster } from '../../core/db/embedded-cluster.ts';
import { birthOf } from '../../core/db/embedded-process.ts';
import { freePort, launchServer } from '../../core/db/embedded-server.ts';
import { databaseUser, tryPrograms } from '../../core/db/embedded-user.ts';

const maxConnections = 20;

describe('embedded PostgreSQL', function () {
  this.timeout(60_000);
  let dataDir: string;
  let hosts: Host[];

  beforeEach(async () => {
    dataDir = await openFolder();
    hosts = [];
  });

  afterEach(async () => {
    for (const host of hosts) await kill(host);
    await endServer(dataDir);
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  const start = () => startEmbeddedPostgres({ dataDir, volatile: true, maxConnections });

  async function startHost(durability: Durability): Promise<Host> {
    const host = await startHostIn(dataDir, durability);
    hosts.push(host);
    return host;
  }

  it('makes the database lyceum in an empty folder and finds its rows again after a stop', async () => {
    const first = await start();
    expect(new URL(first.url).pathname).to.equal('/lyceum');
    await query(first.url, "CREATE TABLE kept AS SELECT 'yes' AS value");
    await first.stop();
    await first.stop();
    const second = await start();
    expect(await query(second.url, 'SELECT value FROM kept')).to.deep.equal([{ value: 'yes' }]);
    expect(new URL(second.url).password).to.equal(new URL(first.url).password);
    await second.stop();
  });

  it('keeps its rows on a start that must survive a loss of power', async () => {
    const options = { dataDir, volatile: false, maxConnections };
    const first = await startEmbeddedPostgres(options);
    expect(await query(first.url, 'SHOW fsync')).to.deep.equal([{ fsync: 'on' }]);
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS value');
    await first.stop();
    const second = await startEmbeddedPostgres(options);
    expect(await query(second.url, 'SELECT value FROM kept')).to.deep.equal([{ value: 1 }]);
    await second.stop();
  });

  it('makes a new data folder that shows its names to nobody else', async () => {
    const server = await startEmbeddedPostgres({
      dataDir: path.join(dataDir, 'new'),
      volatile: true,
      maxConnections,
    });
    await server.stop();
    expect((await stat(path.join(dataDir, 'new'))).mode & 0o777).to.equal(0o711);
  });

  it('takes another port when somebody was faster', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const ports = [(taken.address() as { port: number }).port, await freePort()];
    const cluster = await ownCluster(dataDir);
    await createCluster(cluster, 'password');
    const server = await launchServer(cluster, maxConnections, async () => ports.shift() ?? 0);
    expect(ports).to.have.length(0);
    await server.stop();
    taken.close();
  });

  it('makes a new password when the file is lost', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept ()');
    await first.stop();
    await rm(path.join(dataDir, 'postgres.password'));
    const second = await start();
    expect(second.url).to.not.include(new URL(first.url).password);
    expect(await query(second.url, 'SELECT count(*)::int FROM kept')).to.deep.equal([{ count: 0 }]);
    await second.stop();
  });

  describe('running', () => {
    let folder: string;
    let server: EmbeddedPostgres;

    before(async () => {
      folder = await openFolder();
      server = await startEmbeddedPostgres({ dataDir: folder, volatile: true, maxConnections });
    });

    after(async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    });

    it('knows Cyrillic letters from punctuation', async () => {
      const [row] = await query(
        server.url,
        `SELECT lower('ПРИВЕТ Ё') AS lower, 'Ж' ILIKE 'ж' AS alike,
           to_tsvector('russian', 'Приветы, «Миры» — ёлки')::text AS words`,
      );
      expect(row).to.deep.equal({ lower: 'привет ё', alike: true, words: "'елк':3 'мир':2 'привет':1" });
    });

    it('gives the role all connections and the right to make databases, but not the machine', async () => {
      expect(await query(server.url, 'SHOW max_connections')).to.deep.equal([{ max_connections: '20' }]);
      expect(await query(server.url, 'SHOW superuser_reserved_connections')).to.deep.equal([
        { superuser_reserved_connections: '0' },
      ]);
      await query(server.url, 'CREATE DATABASE copy TEMPLATE lyceum');
      await query(server.url, 'DROP DATABASE copy WITH (FORCE)');
      await query(server.url, 'CREATE EXTENSION pg_trgm');
      expect(await failure(query(server.url, "COPY (SELECT 1) TO PROGRAM 'cat'"))).to.match(
        /permission denied/,
      );
    });

    it('listens to the password alone, on 127.0.0.1 alone', async () => {
      const file = await stat(path.join(folder, 'postgres.password'));
      expect(file.mode & 0o777).to.equal(0o600);
      expect(file.uid).to.equal(process.getuid?.());
      const wrong = new URL(server.url);
      wrong.password = 'wrong';
      expect(await failure(query(wrong.href, 'SELECT 1'))).to.match(/password authentication failed/);
      expect(await query(server.url, 'SHOW listen_addresses')).to.deep.equal([
        { listen_addresses: '127.0.0.1' },
      ]);
      expect(await query(server.url, 'SHOW unix_socket_directories')).to.deep.equal([
        { unix_socket_directories: '' },
      ]);
    });

    it('writes no value of a failed statement into its log', async () => {
      await query(server.url, 'CREATE TABLE tokens (token text PRIMARY KEY)');
      await query(server.url, "INSERT INTO tokens VALUES ('hush-hush')");
      expect(await failure(query(server.url, "INSERT INTO tokens VALUES ('hush-hush')"))).to.match(
        /duplicate key/,
      );
      expect(await failure(query(server.url, "SELECT 'hush-hush'::int"))).to.match(/invalid input/);
      expect(await readFile(path.join(folder, 'postgres.log'), 'utf8')).to.not.include('hush');
    });
  });

  describe('killed', () => {
    it('starts again after kill -9 of the host, stopping the server that was left', async () => {
      const host = await startHost('volatile');
      await query(host.url, 'CREATE TABLE kept AS SELECT 1 AS value');
      const orphan = await serverPid(dataDir);
      await kill(host);
      expect(await isAlive(orphan)).to.equal(true);
      const server = await start();
      expect(await isAlive(orphan)).to.equal(false);
      expect(await query(server.url, 'SELECT value FROM kept')).to.deep.equal([{ value: 1 }]);
      await server.stop();
      expect((await readdir(dataDir)).filter((name) => name.includes('lock'))).to.deep.equal([]);
    });

    it('starts again after kill -9 of host and server, even with a statement still computing', async () => {
      const host = await startHost('durable');
      await query(host.url, 'CREATE TABLE kept AS SELECT 1 AS value');
      const busy = new pg.Client(host.url);
      busy.on('error', () => undefined);
      await busy.connect();
      const statement = busy
        .query('SELECT count(*) FROM generate_series(1, 1000000000000)')
        .catch(() => undefined);
      await until(async () => {
        const active = await query(
          host.url,
          "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%generate_series(1, 1%' AND pid <> pg_backend_pid()",
        );
        return active.length > 0;
      });
      const orphan = await serverPid(dataDir);
      await kill(host);
      process.kill(orphan, 'SIGKILL');
      busy.connection.stream.destroy();
      await statement;
      const server = await start();
      expect(await query(server.url, 'SELECT value FROM kept')).to.deep.equal([{ value: 1 }]);
      await server.stop();
    });

    it('makes the cluster anew after kill -9 in the middle of initdb', async () => {
      const child = spawnHost(dataDir, 'durable');
      await until(async () => {
        const half = (await readdir(dataDir)).find((name) => name.startsWith('postgres.new-'));
        return half !== undefined && (await readdir(path.join(dataDir, half))).includes('base');
      });
      process.kill(-(child.pid as number), 'SIGKILL');
      await once(child, 'exit');
      expect(await readdir(dataDir)).to.not.include('postgres');
      const server = await start();
      expect(await query(server.url, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
      await server.stop();
      expect((await readdir(dataDir)).sort()).to.deep.equal([
        'postgres',
        'postgres.log',
        'postgres.password',
      ]);
    });

    it('is not fooled by process numbers that another process got since, or that were cut off', async () => {
      await (await start()).stop();
      await writeFile(path.join(dataDir, `postgres.lock.${process.ppid}.another-birth`), '');
      for (const content of [`${process.pid}\n${dataDir}/postgres\n`, '']) {
        await writeFile(path.join(dataDir, 'postgres', 'postmaster.pid'), content);
        await (await start()).stop();
      }
      expect((await readdir(dataDir)).filter((name) => name.includes('lock'))).to.deep.equal([]);
    });

    it('lets the host live when the server dies, and starts it again at its address, every time', async () => {
      const first = await startEmbeddedPostgres({ dataDir, volatile: false, maxConnections });
      await query(first.url, "CREATE TABLE kept AS SELECT 'yes' AS value");
      for (let death = 1; death <= 2; death++) {
        process.kill(await serverPid(dataDir), 'SIGKILL');
        await until(async () => (await failure(query(first.url, 'SELECT 1'))) === 'nothing failed');
        expect(await query(first.url, 'SELECT value FROM kept')).to.deep.equal([{ value: 'yes' }]);
      }
      const pid = await serverPid(dataDir);
      await first.stop();
      expect(await isAlive(pid)).to.equal(false);
    });

    it('stays down when it is stopped while it is started again', async () => {
      const first = await start();
      const pid = await serverPid(dataDir);
      process.kill(pid, 'SIGKILL');
      await until(async () => !(await isAlive(pid)));
      await first.stop();
      expect(await failure(query(first.url, 'SELECT 1'))).to.match(/ECONNREFUSED/);
      await (await start()).stop();
    });
  });

  describe('with its host', () => {
    it('goes when the host exits without a word', async () => {
      const host = await startHost('volatile');
      const pid = await serverPid(dataDir);
      tell(host, 'exit');
      await once(host.child, 'exit');
      await until(async () => !(await isAlive(pid)));
      expect(await readFile(path.join(dataDir, 'postgres.log'), 'utf8')).to.include(
        'database system is shut down',
      );
    });

    it('does not keep the host from ending', async () => {
      const host = await startHost('volatile');
      tell(host, 'nothing more to do');
      expect(await once(host.child, 'exit')).to.deep.equal([0, null]);
    });

    it('stays through SIGTERM and Ctrl-C, until the host stops it', async () => {
      const host = await startHost('volatile');
      const pid = await serverPid(dataDir);
      for (const name of ['SIGTERM', 'SIGINT'] as const) {
        process.kill(-(host.child.pid as number), name); // to the whole group, as a terminal does
        expect(await nextLine(host)).to.equal(`${name} 1`);
      }
      tell(host, 'stop');
      expect(await nextLine(host)).to.equal('stopped');
      expect(await isAlive(pid)).to.equal(false);
    });
  });

  describe('refuses in one line', () => {
    it('a folder that another process has', async () => {
      const host = await startHost('volatile');
      const message = await refusal(start());
      expect(message)
        .to.include(`${dataDir} is in use by process ${host.child.pid}`)
        .and.include('DATABASE_URL');
      expect(await query(host.url, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
    });

    it('a folder that this process has', async () => {
      const server = await start();
      expect(await refusal(start())).to.include(`in use by process ${process.pid}`);
      await server.stop();
    });

    it('all but one of four hosts that start in the same moment where one was killed', async () => {
      await kill(await startHost('volatile'));
      const outcomes = await Promise.allSettled([
        startHost('volatile'),
        startHost('volatile'),
        startHost('volatile'),
        startHost('volatile'),
      ]);
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).to.have.length(1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason.message).to.include('is in use by process');
      }
    });

    it('a folder that the database cannot reach', async () => {
      const closed = path.join(dataDir, 'closed');
      await mkdir(closed, { mode: process.getuid?.() === 0 ? 0o700 : 0o500 });
      const inside = path.join(closed, 'data');
      const message = await refusal(
        startEmbeddedPostgres({ dataDir: inside, volatile: true, maxConnections }),
      );
      expect(message).to.include(closed);
      if (process.getuid?.() === 0) {
        expect(message).to.include(`chmod o+x ${closed}`);
        expect(await readdir(inside)).to.deep.equal([]);
      }
    });

    it('a database of another PostgreSQL version', async () => {
      await (await start()).stop();
      await writeFile(path.join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
      expect(await refusal(start())).to.match(/made by PostgreSQL 17, this installation brings 18/);
    });

    it('a folder of that name with something else in it', async () => {
      await mkdir(path.join(dataDir, 'postgres'));
      await writeFile(path.join(dataDir, 'postgres', 'thesis.txt'), 'mine');
      expect(await refusal(start())).to.include('is not a database');
      expect(await readFile(path.join(dataDir, 'postgres', 'thesis.txt'), 'utf8')).to.equal('mine');
      expect((await readdir(dataDir)).sort()).to.deep.equal(['postgres', 'postgres.password']);
    });

    it('what PostgreSQL itself refuses, with its reason', async () => {
      await (await start()).stop();
      await rm(path.join(dataDir, 'postgres', 'global', 'pg_control'));
      expect(await refusal(start()))
        .to.include('pg_control')
        .and.include('postgres.log');
    });
  });
});

type Durability = 'durable' | 'volatile';

interface Host {
  readonly child: ChildProcess;
  readonly url: string;
  readonly lines: AsyncIterator<string>;
}

/** A host of its own process group: obeys lines on its input, and says what SIGTERM and SIGINT find. */
const hostProgram = `
  import { startEmbeddedPostgres } from ${JSON.stringify(new URL('../../core/db/embedded.ts', import.meta.url).href)};
  import pg from ${JSON.stringify(import.meta.resolve('pg'))};
  const [dataDir, durability] = process.argv.slice(1);
  const options = { dataDir, volatile: durability === 'volatile', maxConnections: 20 };
  const server = await startEmbeddedPostgres(options).catch((error) => {
    console.log(error.message);
    process.exit(1);
  });
  for (const name of ['SIGTERM', 'SIGINT']) {
    process.on(name, async () => {
      const client = new pg.Client(server.url);
      await client.connect();
      const { rows } = await client.query('SELECT 1 AS one');
      await client.end();
      console.log(name, rows[0].one);
    });
  }
  process.stdin.on('data', async (line) => {
    if (String(line) === 'exit\\n') process.exit(0);
    process.stdin.destroy();
    if (String(line) !== 'stop\\n') return;
    await server.stop();
    console.log('stopped');
  });
  console.log(server.url);
`;

function spawnHost(dataDir: string, durability: Durability): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', hostProgram, dataDir, durability], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function startHostIn(dataDir: string, durability: Durability): Promise<Host> {
  const child = spawnHost(dataDir, durability);
  if (!child.stdout) throw new Error('no output');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value } = await lines.next();
  if (typeof value === 'string' && value.startsWith('postgres://')) return { child, url: value, lines };
  throw new Error(value);
}

async function nextLine(host: Host): Promise<string> {
  return (await host.lines.next()).value;
}

function tell(host: Host, line: string): void {
  host.child.stdin?.write(`${line}\n`);
}

async function kill({ child }: Host): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** A fresh folder that every user can enter. */
async function openFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'lyceum-embedded-')));
  await chmod(folder, 0o711);
  return folder;
}

async function ownCluster(dataDir: string) {
  const [binaries, user] = [await findBinaries(), await databaseUser()];
  const major = await tryPrograms(binaries, dataDir, user);
  return { dataDir, folder: path.join(dataDir, 'postgres'), binaries, user, major, volatile: true };
}

async function serverPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

/** Ends what a failed test may have left running. */
async function endServer(dataDir: string): Promise<void> {
  const pid = await serverPid(dataDir).catch(() => 0);
  if (!pid || pid === process.pid || !(await isAlive(pid))) return;
  process.kill(pid, 'SIGQUIT');
  await until(async () => !(await isAlive(pid)));
}

async function isAlive(pid: number): Promise<boolean> {
  return (await birthOf(pid)) !== null;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`never came true: ${condition}`);
    await wait(2);
  }
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function failure(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(() => new Error('nothing failed')).catch((reason: Error) => reason);
  return error.message;
}

/** The message of an EmbeddedPostgresError, which has to be one line. */
async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.catch((reason: unknown) => reason);
  expect(error).to.be.instanceOf(EmbeddedPostgresError);
  const { message } = error as EmbeddedPostgresError;
  expect(message).to.not.include('\n');
  return message;
}
