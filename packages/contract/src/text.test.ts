import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toInputIssues } from './issues.ts';
import {
  findRange,
  folded,
  isBrokenText,
  linesSchema,
  messageSchema,
  searchSchema,
  textSchema,
  truncate,
} from './text.ts';

const name = textSchema({ max: 20 });
const notes = linesSchema({ min: 0, max: 40 });
const keysOf = (schema: typeof name, text: string) =>
  schema
    .safeParse(text, { reportInput: true })
    .error?.issues.flatMap(toInputIssues)
    .map(({ key }) => key);

describe('a single-line text', () => {
  it.each([
    ['  Acme   Mobility ', 'Acme Mobility'],
    ['Acme\u00a0\u3000Mobility', 'Acme Mobility'],
    ['Cafe\u0301', 'Café'],
    ['测试　公司', '测试 公司'],
    ['👨‍👩‍👧 family', '👨‍👩‍👧 family'],
    ['नमस्ते', 'नमस्ते'],
    ['\tAcme\r\n', 'Acme'],
  ])('%j is stored as %j', (typed, stored) => {
    expect(name.parse(typed)).toBe(stored);
  });

  it.each([
    ['', 'required'],
    ['   ', 'required'],
    ['a\nb', 'lineBreak'],
    ['a\u2028b', 'lineBreak'],
    ['a\u0085b', 'lineBreak'],
    ['a\tb', 'controlCharacter'],
    ['a\u0007', 'controlCharacter'],
    ['a\u202Eb', 'controlCharacter'],
    ['a\u2066b', 'controlCharacter'],
    ['\u200B\u2060', 'invisibleText'],
    ['\u3164', 'invisibleText'],
    ['\u2800', 'invisibleText'],
    ['\u0301', 'invisibleText'],
    ['a\uD800', 'brokenText'],
    ['\uDC00a', 'brokenText'],
    ['a\uFFFD', 'brokenText'],
    ['a\0', 'brokenText'],
    ['a\uFFFE', 'controlCharacter'],
    ['x'.repeat(21), 'tooLong'],
  ])('%j is rejected as %s', (typed, key) => {
    expect(keysOf(name, typed)?.[0]).toBe(key);
  });
});

describe('a multi-line text', () => {
  it.each([
    ['first \r\n second\r\rthird ', 'first\nsecond\n\nthird'],
    ['a\tb', 'a b'],
    [' \n ', ''],
  ])('%j is stored as %j', (typed, stored) => {
    expect(notes.parse(typed)).toBe(stored);
  });

  it.each([
    ['a\u0000b', 'brokenText'],
    ['a\u001Bb', 'controlCharacter'],
    ['a\n\u202Eb', 'controlCharacter'],
    ['\u200B\n\u200B', 'invisibleText'],
    ['a\uD83D', 'brokenText'],
  ])('%j is rejected as %s', (typed, key) => {
    expect(keysOf(notes, typed)?.[0]).toBe(key);
  });
});

describe('a message', () => {
  const message = messageSchema({ max: 40 });
  it.each([
    ['  getinfo', '  getinfo'],
    ['AT  1 ', 'AT  1 '],
    ['a\u00a0\u3000b', 'a  b'],
    ['first \r\n\tsecond\n', 'first \n second\n'],
    ['Cafe\u0301', 'Café'],
  ])('%j is sent as %j', (typed, sent) => {
    expect(message.parse(typed)).toBe(sent);
  });

  it.each([
    ['', 'required'],
    [' \n ', 'invisibleText'],
    ['a\u001Bb', 'controlCharacter'],
    ['a\u0000b', 'brokenText'],
    [`${' '.repeat(40)}x`, 'tooLong'],
  ])('%j is rejected as %s', (typed, key) => {
    expect(keysOf(message, typed)?.[0]).toBe(key);
  });
});

describe('a search', () => {
  const search = searchSchema(20);
  it.each([
    ['  Acme   Mobility ', 'Acme Mobility'],
    ['Truck\t2000\r\n', 'Truck 2000'],
    ['first\nsecond\u2028third', 'first second third'],
    ['\u202A34590000112345\u202C', '34590000112345'],
    ['a\u001Bb', 'a b'],
    ['👨‍👩‍👧', '👨‍👩‍👧'],
    ['\u200B\u202E', ''],
    ['', ''],
  ])('for %j, as pasted, is one for %j', (pasted, searched) => {
    expect(search.parse(pasted)).toBe(searched);
  });

  it.each([
    ['a\u0000b', 'brokenText'],
    ['\uFFFD', 'brokenText'],
    ['x'.repeat(21), 'tooLong'],
  ])('for %j is rejected as %s', (typed, key) => {
    expect(keysOf(search, typed)).toEqual([key]);
  });
});

it('parsing a text is idempotent', () => {
  for (const schemaOf of [textSchema, linesSchema, messageSchema]) {
    const schema = schemaOf({ min: 0, max: 1000 });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (typed) => {
        const once = schema.safeParse(typed);
        if (!once.success) return;
        expect(schema.parse(once.data)).toBe(once.data);
        expect(isBrokenText(once.data)).toBe(false);
      }),
    );
  }
});

describe('a folded text', () => {
  it.each([
    ['ＡＣＭＥ　１', 'acme 1'],
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['ﬁber', 'FIBER'],
    ['Ac\u200Bme', 'acme'],
    ['ｱｲｳ', 'アイウ'],
    ['Cafe\u0301', 'CAFÉ'],
  ])('%j and %j are equal', (one, other) => {
    expect(folded(one)).toBe(folded(other));
  });

  it('distinguishes accents, and is idempotent', () => {
    expect(folded('Cafe')).not.toBe(folded('Café'));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
        // The capital ẞ becomes ß, which becomes ss only when it is folded again.
        fc.pre(!text.includes('ẞ'));
        expect(folded(folded(text))).toBe(folded(text));
      }),
    );
  });
});

describe('the range of a part in a text', () => {
  it.each([
    ['214070002354869', '2354869', '2354869'],
    ['Gruß-Kiosk', 'RUSS', 'ruß'],
    ['ＦＬＥＥＴ eu', 'fleet', 'ＦＬＥＥＴ'],
    ['🏠 Café', 'fÉ', 'fé'],
    // Both letters of the ligature came from one character.
    ['oﬃce', 'fi', 'ﬃ'],
    // Letters that only fold together have no places of their own.
    ['x \u1112\u1161\u11ab', '한', 'x \u1112\u1161\u11ab'],
  ])('%j, %j: %j', (text, part, found) => {
    const place = findRange(text, part);
    expect(place && text.slice(place.from, place.to)).toBe(found);
  });

  it.each([
    ['Truck', 'bus'],
    ['Truck', ''],
    ['', 'x'],
  ])('%j does not contain %j', (text, part) => {
    expect(findRange(text, part)).toBeUndefined();
  });

  it('is found if and only if the folded text contains the folded part', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
        (text, part) => {
          const place = findRange(text, part);
          const has = folded(part) !== '' && folded(text).includes(folded(part));
          expect(place !== undefined).toBe(has);
          if (place) expect(folded(text.slice(place.from, place.to))).toContain(folded(part));
        },
      ),
    );
  });
});

describe('truncation', () => {
  it.each([
    ['abc', 5, 'abc'],
    ['abc', 2, 'ab'],
    ['a😀b', 2, 'a'],
    ['a😀b', 3, 'a😀'],
  ])('of %j to %d code units gives %j', (text, most, beginning) => {
    expect(truncate(text, most)).toBe(beginning);
  });
});
