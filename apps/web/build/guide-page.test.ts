import { expect, test } from 'vitest';
import { guidePageOf, pictureFilesOf } from './guide-page.ts';

test('a page is parsed into title, lead, linkable sections and picture files', () => {
  const page = guidePageOf(
    [
      '# SIMs',
      '',
      'All **your** SIMs, by `ICCID`.',
      '',
      '## What’s in a row?',
      '',
      '1. Open [one](pools.md#one-pool)',
      '2. Look *twice*',
      '',
      '![The list](images/sims.png)',
      '',
      '| Word | Meaning |',
      '| ---- | ------- |',
      '| a\\_b | c & d   |',
    ].join('\n'),
  );
  expect(page).toEqual({
    title: 'SIMs',
    lead: [
      {
        kind: 'paragraph',
        text: [
          { kind: 'plain', text: 'All ' },
          { kind: 'strong', text: 'your' },
          { kind: 'plain', text: ' SIMs, by ' },
          { kind: 'code', text: 'ICCID' },
          { kind: 'plain', text: '.' },
        ],
      },
    ],
    sections: [
      {
        id: 'whats-in-a-row',
        title: 'What’s in a row?',
        blocks: [
          {
            kind: 'list',
            ordered: true,
            items: [
              [
                { kind: 'plain', text: 'Open ' },
                { kind: 'link', text: 'one', to: 'pools.md#one-pool' },
              ],
              [
                { kind: 'plain', text: 'Look ' },
                { kind: 'em', text: 'twice' },
              ],
            ],
          },
          { kind: 'picture', file: 'images/sims.png', says: 'The list' },
          {
            kind: 'table',
            head: [[{ kind: 'plain', text: 'Word' }], [{ kind: 'plain', text: 'Meaning' }]],
            rows: [
              [
                [
                  { kind: 'plain', text: 'a' },
                  { kind: 'plain', text: '_' },
                  { kind: 'plain', text: 'b' },
                ],
                [{ kind: 'plain', text: 'c & d' }],
              ],
            ],
          },
        ],
      },
    ],
  });
  expect(pictureFilesOf(page)).toEqual(['images/sims.png']);
});

test.each([
  ['no title', 'Words'],
  ['a third level', '# Page\n\n### Deep'],
  ['HTML', '# Page\n\n<b>bold</b>'],
  ['a quotation', '# Page\n\n> said'],
  ['code of several lines', '# Page\n\n```\ncode\n```'],
  ['an item of two paragraphs', '# Page\n\n- one\n\n  two'],
  ['a picture in a sentence', '# Page\n\nsee ![it](a.png)'],
])('%s is rejected because the console can not display it', (_, markdown) => {
  expect(() => guidePageOf(markdown)).toThrow();
});
