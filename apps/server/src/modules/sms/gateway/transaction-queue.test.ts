import { expect, it } from 'vitest';
import { TransactionQueue } from './transaction-queue.ts';

/** A transaction that finishes when the test says so. */
const transaction = (name: string, begun: string[]) => {
  let over: () => void = () => undefined;
  let next: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  const work = (go: () => void = () => undefined) => {
    begun.push(name);
    next = go;
    return ended;
  };
  return { work, over: () => over(), next: () => next() };
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('a pipelined transaction begins when the previous one allows it, an exclusive one when all earlier ones have finished', async () => {
  const turns = new TransactionQueue();
  const begun: string[] = [];
  const first = transaction('first', begun);
  const second = transaction('second', begun);
  const alone = transaction('alone', begun);
  const third = transaction('third', begun);
  const all = [
    turns.runPipelined(first.work),
    turns.runPipelined(second.work),
    turns.run(alone.work),
    turns.runPipelined(third.work),
  ];
  await turn();
  expect(begun).toEqual(['first']);
  first.next();
  await turn();
  expect(begun).toEqual(['first', 'second']);
  second.over();
  await turn();
  expect(begun).toEqual(['first', 'second']);
  first.over();
  await turn();
  expect(begun).toEqual(['first', 'second', 'alone']);
  alone.over();
  await turn();
  expect(begun).toEqual(['first', 'second', 'alone', 'third']);
  third.over();
  await Promise.all(all);
  await turns.idle();
});

it('a failed transaction counts as finished', async () => {
  const turns = new TransactionQueue();
  const failed = turns.runPipelined(() => Promise.reject(new Error('lost')));
  const after = turns.runPipelined(() => Promise.resolve('after'));
  const alone = turns.run(() => Promise.resolve('alone'));
  await expect(failed).rejects.toThrow('lost');
  expect(await Promise.all([after, alone])).toEqual(['after', 'alone']);
});
