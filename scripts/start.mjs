// `npm start`: sets up what is missing, then runs the server and, for the demonstration, the network simulator.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root, say } from './run.mjs';
import { nodeFlags } from './setup.mjs';

/** Exit code of a server with invalid settings, which a restart cannot fix. */
const badSettings = 78;
const maxFailures = 3;
/** Time for each program to end before it is killed; the server abandons unfinished work before that. */
const simulatorEndsWithinMs = 20_000;
const serverEndsWithinMs = 45_000;
const parentPollMs = 200;

// npm sends signals to the shell in between, which ends without forwarding them: we detect that the shell is gone.
if (process.env.npm_lifecycle_event === 'start') {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, parentPollMs).unref();
}

await build();

let server;
let simulator;
let stopping = false;
/** The server's ports: after a crash, open pages and the simulator continue to use them. */
let settings = {};

const run = (program, args = [], env = {}) =>
  spawn(process.execPath, [...nodeFlags, join(root, program), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // A separate process group: Ctrl-C reaches only this program, which stops the others in order.
    detached: true,
    env: { ...process.env, ...env },
  });

const endChild = async (child, withinMs) => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
};

/** Stops the simulator first, so that its devices end their sessions while the server still listens. */
const stop = async (code) => {
  if (stopping) return;
  stopping = true;
  await endChild(simulator, simulatorEndsWithinMs);
  await endChild(server, serverEndsWithinMs);
  process.exit(code || server?.exitCode || 0);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0));

const startServer = (failures) => {
  server = run('apps/server/dist/server.js', [], settings);
  let ready = false;
  server.on('message', ({ kind, simulator: simulatorCommand, settings: newSettings }) => {
    if (kind !== 'ready') return;
    ready = true;
    settings = newSettings;
    if (simulatorCommand && !simulator && !stopping) simulator = startSimulator(simulatorCommand);
  });
  server.on('exit', (code, signal) => {
    if (stopping) return;
    // A server that never became ready would fail again; one that was killed is restarted and continues.
    const next = ready ? 1 : failures + 1;
    if (code === 0 || code === badSettings || next > maxFailures) return stop(code ?? 1);
    say(`The server ended unexpectedly (${signal ?? code}); starting it again.`, 'error');
    setTimeout(() => !stopping && startServer(next), 500 * next);
  });
};

const startSimulator = ({ args, env }) => {
  const child = run('apps/network-sim/dist/main/network-sim.js', args, env);
  child.on('exit', (code, signal) => {
    simulator = undefined;
    if (!stopping)
      say(`The network simulator ended (${signal ?? code}); the server continues without it.`, 'error');
  });
  return child;
};

startServer(0);
