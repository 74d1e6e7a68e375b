// Loaded before a program of the product: its clock (Date) jumps by the number of milliseconds in a file, as when a
// machine's time is set. Durations (timers, performance) are unaffected.
import { readFileSync, watchFile } from 'node:fs';

const pollMs = 100;
const RealDate = Date;
let shift = 0;

const file = process.env.DRILL_CLOCK;
if (file) {
  const read = () => {
    shift = Number(readFileSync(file, 'utf8'));
  };
  read();
  watchFile(file, { interval: pollMs, persistent: false }, read);
}

const now = () => RealDate.now() + shift;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
