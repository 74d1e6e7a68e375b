// `npm start`: set up what is missing, then run the server and, for the demonstration, the network simulator.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './setup.mjs';

await build();

const children = new Set();
let stopping = false;

const run = (program, args = [], env = {}) => {
  const child = spawn(process.execPath, ['--enable-source-maps', join(root, program), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { SIMCUBE_LOG_FORMAT: process.stdout.isTTY ? 'pretty' : 'json', ...process.env, ...env },
  });
  children.add(child);
  child.on('exit', () => children.delete(child));
  return child;
};

const stop = (signal) => {
  stopping = true;
  for (const child of children) child.kill(signal);
};
process.on('SIGINT', () => stop('SIGINT'));
process.on('SIGTERM', () => stop('SIGTERM'));

let simulator;

const startServer = (failures) => {
  const server = run('apps/server/dist/server.js');
  let ready = false;
  server.on('message', ({ kind, simulator: wanted }) => {
    if (kind !== 'ready') return;
    ready = true;
    if (wanted && !simulator) simulator = startSimulator(wanted);
  });
  server.on('exit', (code, signal) => {
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
  if (!stopping) stop('SIGTERM');
};

startServer(0);
