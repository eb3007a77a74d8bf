import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { startTestHost } from '../kit/index.ts';

/** Status and `Connection` of a GET on a kept connection. */
function get(agent: Agent, url: string): Promise<{ status: number; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (answer) => {
      answer.resume();
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection }),
      );
    })
      .once('error', reject)
      .end();
  });
}

/** Whether a new connection is taken; ended at once. */
function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

describe('the end of a host', () => {
  it('answers the next request of a kept connection, and says that it was the last', async () => {
    const lyceum = await startTestHost({ modules: [] });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const url = `${lyceum.origin}/api/`;
    expect(await get(agent, url)).to.deep.equal({ status: 200, connection: 'keep-alive' });
    const stopped = lyceum.stop();
    while (await accepts(lyceum.host.port));
    expect(await get(agent, url)).to.deep.equal({ status: 200, connection: 'close' });
    await stopped;
    const refused = await get(agent, url).catch((error: NodeJS.ErrnoException) => error.code);
    expect(refused).to.equal('ECONNREFUSED');
    agent.destroy();
  });

  it('does not wait for connections that nobody uses', async () => {
    const lyceum = await startTestHost({ modules: [] });
    const agent = new Agent({ keepAlive: true });
    await get(agent, `${lyceum.origin}/api/`);
    const began = performance.now();
    await lyceum.stop();
    expect(performance.now() - began).to.be.below(4_000);
    agent.destroy();
  });
});
