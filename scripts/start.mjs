// `npm start`: set up what is missing, then run the server and, for the demonstration, the network simulator.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { nodeFlags, root } from './setup.mjs';

await build();

let server;
let simulator;
let stopping = false;
/** The ports that the server got: after a crash, open pages and the simulator go on with them. */
let settings = {};

const run = (program, args = [], env = {}) =>
  spawn(process.execPath, [...nodeFlags, join(root, program), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // A group of its own: Ctrl-C reaches this program alone, which ends the others in their order.
    detached: true,
    env: { ...process.env, ...env },
  });

/** The simulator first: its devices say goodbye to a server that still listens. */
const stop = () => {
  if (stopping) return;
  stopping = true;
  if (!simulator) return server?.kill('SIGTERM');
  simulator.once('exit', () => server?.kill('SIGTERM'));
  simulator.kill('SIGTERM');
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);

const startServer = (failures) => {
  server = run('apps/server/dist/server.js', [], settings);
  let ready = false;
  server.on('message', ({ kind, simulator: wanted, settings: got }) => {
    if (kind !== 'ready') return;
    ready = true;
    settings = got;
    if (wanted && !simulator) simulator = startSimulator(wanted);
  });
  server.on('exit', (code, signal) => {
    server = undefined;
    if (stopping || (code === 0 && !signal)) return finish(code ?? 0);
    // A server that never came up would not come up again; one that was killed starts over and goes on.
    const next = ready ? 1 : failures + 1;
    if (next > 3 || (!ready && code === 78)) return finish(code ?? 1);
    console.error(`The server ended unexpectedly (${signal ?? code}); starting it again.`);
    setTimeout(() => !stopping && startServer(next), 500 * next);
  });
};

const startSimulator = ({ args, env }) => {
  const child = run('apps/network-sim/dist/main/network-sim.js', args, env);
  child.on('exit', (code, signal) => {
    simulator = undefined;
    if (!stopping)
      console.error(`The network simulator ended (${signal ?? code}); the server goes on without it.`);
  });
  return child;
};

const finish = (code) => {
  process.exitCode = code;
  stop();
};

startServer(0);
