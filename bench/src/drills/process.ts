import { type Fleet, radiusSecret } from '../fleet.ts';
import { freePorts, type Ports, type Product, startProduct } from '../product.ts';

/** A process of the product with one role, which keeps its ports when it is started again. */
export interface Process {
  readonly ports: Ports;
  readonly url: string;
  /** Where its log is, among other things. */
  readonly dataDir: string;
  pid(): number;
  /** @param project whose programs it runs from now on, instead of those that it began with */
  start(project?: string): Promise<void>;
  /** On another database from now on. */
  startOn(databaseUrl: string): Promise<void>;
  /** As a crash would end it. */
  kill(): Promise<void>;
  /** Holds it where it is, as a machine does that swaps. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** @param settings of its environment, besides */
export const startProcess = async (
  fleet: Fleet,
  roles: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Process> => {
  const ports = await freePorts();
  const installation = { ...fleet };
  let product: Product | undefined;
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const running = product;
    product = undefined;
    await running?.stop(signal);
  };
  const signalled = (signal: NodeJS.Signals) => {
    if (product) process.kill(product.pid, signal);
  };
  const one: Process = {
    ports,
    url: `http://127.0.0.1:${ports.http}`,
    dataDir: fleet.dataDir,
    pid: () => product?.pid ?? 0,
    start: async (project) => {
      if (project !== undefined) installation.project = project;
      product = await startProduct({ ...installation, roles, ports, radiusSecret, settings });
    },
    startOn: (databaseUrl) => {
      installation.databaseUrl = databaseUrl;
      return one.start();
    },
    kill: () => end('SIGKILL'),
    freeze: () => signalled('SIGSTOP'),
    thaw: () => signalled('SIGCONT'),
    stop: () => end('SIGTERM'),
  };
  await one.start();
  return one;
};
