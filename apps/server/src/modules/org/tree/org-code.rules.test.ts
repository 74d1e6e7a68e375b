import fc from 'fast-check';
import { expect, it } from 'vitest';
import { problemsOf } from './org.rules.ts';
import { codeFromName, withSuffix } from './org-code.rules.ts';

it('a code is derived from the name', () => {
  expect(codeFromName('Acme Mobility Iberia', 'ES')).toBe('ACME-MOBILITY-IBERIA');
  expect(codeFromName('Société Générale & Fils', 'FR')).toBe('SOCIETE-GENERALE-FILS');
  expect(codeFromName('Straße & Söhne GmbH', 'DE')).toBe('STRASSE-SOHNE-GMBH');
  expect(codeFromName('  3D-Druck (Süd)  ', 'DE')).toBe('3D-DRUCK-SUD');
  expect(codeFromName('联通物联网公司', 'CN')).toBe('ORG-CN');
  expect(codeFromName('!!!!!', 'DE')).toBe('ORG-DE');
  expect(codeFromName('A very long name of a company, Incorp', 'US')).toBe(
    'A-VERY-LONG-NAME-OF-A-COMPANY-IN',
  );
});

it('a derived code is valid for any name, with a suffix too', () => {
  const name = fc.string({ minLength: 5, maxLength: 40, unit: 'grapheme' });
  fc.assert(
    fc.property(name, fc.nat(), (text, seed) => {
      const code = codeFromName(text, 'DE');
      const other = withSuffix(code, (below) => seed % below);
      for (const one of [code, other]) {
        expect(problemsOf({ code: one, name: 'Northwind', country: 'DE' }), one).toEqual([]);
      }
      expect(other).not.toBe(code);
    }),
  );
});
