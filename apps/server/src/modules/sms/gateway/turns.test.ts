import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

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

it('a piped one begins when the one before lets it, and one alone when all before are over', async () => {
  const turns = new Turns();
  const begun: string[] = [];
  const first = transaction('first', begun);
  const second = transaction('second', begun);
  const alone = transaction('alone', begun);
  const third = transaction('third', begun);
  const all = [
    turns.piped(first.work),
    turns.piped(second.work),
    turns.alone(alone.work),
    turns.piped(third.work),
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
  await turns.over();
});

it('one that fails is over', async () => {
  const turns = new Turns();
  const failed = turns.piped(() => Promise.reject(new Error('lost')));
  const after = turns.piped(() => Promise.resolve('after'));
  const alone = turns.alone(() => Promise.resolve('alone'));
  await expect(failed).rejects.toThrow('lost');
  expect(await Promise.all([after, alone])).toEqual(['after', 'alone']);
});
