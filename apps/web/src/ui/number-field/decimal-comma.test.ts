import { describe, expect, test } from 'vitest';
import { withDecimalPoint } from './decimal-comma.ts';

describe('a number written in Spanish', () => {
  test.each([
    ['12,5', '12.5'],
    ['1.234,5', '1234.5'],
    ['1.234', '1234'],
    ['1.234.567', '1234567'],
    ['-2,25', '-2.25'],
    ['1 000,5 €', '1000.5'],
    ['1,', '1.'],
    ['', ''],
  ])('has a comma before its decimals and points between thousands: %s', (text, read) => {
    expect(withDecimalPoint(text, 2)).toBe(read);
  });

  test.each(['12.5', '1234.56', '0.25'])('may have a decimal point, as typed on keypads: %s', (text) => {
    expect(withDecimalPoint(text, 2)).toBe(text);
  });

  test('may have three decimals after the point if the field allows them', () => {
    expect(withDecimalPoint('1.234', 3)).toBe('1.234');
  });
});
