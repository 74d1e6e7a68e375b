import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Context } from '../context.ts';
import { listenOnAvailablePort, type PortOptions } from '../ports.ts';
import type { Wiring } from '../wire.ts';
import { type Demo, seedDemo } from './seed.ts';

export type { Demo } from './seed.ts';

/** The gateway's port for Disconnect and CoA (RFC 5176), and the SMPP port. */
const defaultPorts = { coa: 3799, smpp: 2775 };

/**
 * Makes the demonstration if the database is empty or already has it.
 * @returns undefined when it contains anything else
 */
export const prepareDemo = async (context: Context, wiring: Wiring): Promise<Demo | undefined> => {
  const { env, log, clock, vault, database } = context;
  const { pool } = database;
  const rules = { strict: env.strictPorts, log };
  return seedDemo({
    pool,
    clock,
    log,
    vault,
    dataDir: env.dataDir,
    wiring,
    // After a crash of the server the simulator still runs and occupies its ports.
    findPorts: async () => ({
      coaPort: env.demoCoaPort ?? (await freeCoaPort(rules)),
      smscPort: env.demoSmscPort ?? (await freeSmscPort(rules)),
    }),
  });
};

/** The network simulator is a separate program; it gets the ports that were actually free. */
export const simulatorFor = (
  demo: Demo,
  { authPort, acctPort }: { authPort: number; acctPort: number },
): Demo['simulator'] => ({
  ...demo.simulator,
  args: [...demo.simulator.args, '--auth-port', String(authPort), '--acct-port', String(acctPort)],
});

const freeCoaPort = (rules: PortOptions): Promise<number> => {
  const requested = {
    purpose: 'Disconnect and CoA of the demonstration (UDP)',
    setting: 'SIMCUBE_DEMO_COA_PORT',
    host: '127.0.0.1',
    port: defaultPorts.coa,
  };
  return listenOnAvailablePort(requested, rules, async (port) => {
    const socket = createSocket('udp4');
    try {
      socket.bind(port, requested.host);
      await once(socket, 'listening');
      return socket.address().port;
    } finally {
      socket.close();
    }
  });
};

const freeSmscPort = (rules: PortOptions): Promise<number> => {
  const requested = {
    purpose: 'the SMSC of the demonstration (TCP)',
    setting: 'SIMCUBE_DEMO_SMSC_PORT',
    host: '127.0.0.1',
    port: defaultPorts.smpp,
  };
  return listenOnAvailablePort(requested, rules, async (port) => {
    const server = createServer();
    try {
      server.listen(port, requested.host);
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    } finally {
      server.close();
    }
  });
};
