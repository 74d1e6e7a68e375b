/** Texts that a spreadsheet would run: each sign, its full-width form, and characters that hide either. */
export const formulas: readonly string[] = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\tx',
  '\rx',
  '\nx',
  ' =1',
  '   +1',
  '\v\f-1',
  '\u007f@A',
  '\u0085=1',
  '\u00a0=1',
  '\u2003=1',
  '\u2028=1',
  '\u3000＝1',
  '\ufeff=1',
  '＝1',
  '＋1',
  '－1',
  '＠A',
  '=cmd|"/C calc"!A1',
  '=HYPERLINK("http://evil.example")',
  '-2+3+cmd|" /C calc"!A0',
];

/** Texts with formulas that begin a cell only where lines are split at semicolons, and how they are written. */
export const laterFormulas: readonly (readonly [text: string, written: string])[] = [
  ["x;=cmd|'/C calc'!A0;", "x;'=cmd|'/C calc'!A0;"],
  ['a;b; -1', "a;b;' -1"],
  ['x;;"+1', `x;;'"+1`],
  ["Hello\n=cmd|'/C calc'!A0;y", "Hello\n'=cmd|'/C calc'!A0;y"],
  ['x\r\n\r\n@A', "x\r\n\r\n'@A"],
  ['\r=1', "'\r'=1"],
  ['\n=1', "'\n'=1"],
  ['\r\n=1', "'\r\n'=1"],
  ['=1;＝1', "'=1;'＝1"],
];

/** Texts that only resemble formulas. */
export const harmless: readonly string[] = [
  '',
  ' ',
  'a-b',
  '1=1',
  'Meter =1',
  '水泵',
  "'=1",
  '_-',
  '~=',
  '\u0080x',
  ' x=1',
  'a;b=1',
  'one\ntwo; 3-4',
];
