import { type Fleet, radiusSecret } from '../fleet.ts';
import { freePorts, type Ports, type Product, startProduct } from '../product.ts';

/** A process of the product with one role, which keeps its ports when it is restarted. */
export interface Process {
  readonly ports: Ports;
  readonly url: string;
  /** Directory of its log and other files. */
  readonly dataDir: string;
  pid(): number;
  /** @param project the project whose programs it runs from now on, instead of the previous one */
  start(project?: string): Promise<void>;
  /** Starts it with another database. */
  startOn(databaseUrl: string): Promise<void>;
  /** Kills it, as in a crash. */
  kill(): Promise<void>;
  /** Suspends it, like on a machine that swaps. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** @param settings additional environment variables */
export const startProcess = async (
  fleet: Fleet,
  roles: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Process> => {
  const ports = await freePorts();
  const installation = { ...fleet };
  let product: Product | undefined;
  const endWith = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const running = product;
    product = undefined;
    await running?.stop(signal);
  };
  const sendSignal = (signal: NodeJS.Signals) => {
    if (product) process.kill(product.pid, signal);
  };
  const handle: Process = {
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
      return handle.start();
    },
    kill: () => endWith('SIGKILL'),
    freeze: () => sendSignal('SIGSTOP'),
    thaw: () => sendSignal('SIGCONT'),
    stop: () => endWith('SIGTERM'),
  };
  await handle.start();
  return handle;
};
