import { type ClientState, type Closure, SmppClient, type SmppClientOptions } from '../index.ts';

export interface OpenClient {
  client: SmppClient;
  /** All states so far, with the reason why the last connection ended. */
  states: [ClientState, Closure | undefined][];
  /** Resolves when the client is in this state, now or later. */
  waitForState(state: ClientState): Promise<void>;
}

/** A client with short time limits, for tests. */
export function openClient(port: number, options: Partial<SmppClientOptions> = {}): OpenClient {
  const states: [ClientState, Closure | undefined][] = [];
  const waiting: { state: ClientState; resolve: () => void }[] = [];
  const client = new SmppClient({
    host: '127.0.0.1',
    port,
    bind: 'transceiver',
    systemId: 'simcube',
    password: 'pass-wor',
    reconnectMs: 20,
    random: () => 0.5,
    onState: (state, closure) => {
      states.push([state, closure]);
      for (const one of waiting) if (one.state === state) one.resolve();
    },
    ...options,
  });
  return {
    client,
    states,
    waitForState: (state) =>
      new Promise((resolve) => {
        waiting.push({ state, resolve });
        if (client.stats().state === state) resolve();
      }),
  };
}
