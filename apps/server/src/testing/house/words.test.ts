import { describe, expect, it } from 'vitest';
import { linesThat, sourceFiles } from './source-tree.ts';

/** Wording that readers would not search for, and what to write instead (docs/glossary.md, "Words to use"). */
const refused: readonly [wording: RegExp, instead: string][] = [
  [/\b(is|are|was|were|be|been|being|gets?) told\b/i, 'is notified, is reported, is shown'],
  [/\bgreatest (size|length|number)\b/i, 'maximum size, maximum length'],
  [/\b(set|put) aside\b/i, 'dead-lettered, suspended'],
  [/\bparked (fact|facts|event|events|job|jobs)\b/i, 'dead-lettered'],
  [/\banew\b/i, 'again'],
  [/\b(not|no|nothing|nobody|never) ([\w’']+ ){0,6}any more\b/i, 'no longer'],
  [/\b(the|their|its|each other's|only) doors?\b/i, 'public API, listener'],
  [/\b(nobody|somebody|who|whoever) has the address\b/i, 'known address, unknown address'],
  [/\bof nothing is none\b/i, 'empty'],
  [/\btrail tells\b/i, 'the audit trail records'],
  [/\bby and by\b/i, 'gradually'],
  [/\b(goes|went|going|go) on by (itself|themselves)\b/i, 'continues automatically'],
  [/\bwhoever\b/i, 'the person, the process, the transaction that'],
  [/\bsomebody else\b/i, 'another person, another transaction'],
  [/\bnobody (else|knows|gets|reads|asks|waits|learns|listens)\b/i, 'no one, unused, unknown'],
];

/** Released migrations can't be changed; the glossary and this file name what they reject. */
const readable = sourceFiles(
  (path) =>
    /\.(ts|tsx|mjs|cjs|md|jsonc|ya?ml|service)$/.test(path) &&
    !/\/phrases\/src\/(zh|es)-|docs\/glossary\.md$|house\/words\.test\.ts$|\.gen\.ts$/.test(path),
);

describe('English in sources and documents', () => {
  it.each(refused)('does not contain %s: write %s', (wording) => {
    expect(linesThat(readable, (line) => wording.test(line))).toEqual([]);
  });

  it('does not contain “rooms” in documents', () => {
    const documents = readable.filter(({ path }) => path.endsWith('.md'));
    expect(linesThat(documents, (line) => /\brooms?\b/i.test(line))).toEqual([]);
  });
});
