import { faces, type Palette, palettes, sizes, type ThemeMode } from './tokens.ts';

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const colours = (palette: Palette, indent: string): string =>
  Object.entries(palette)
    .map(([name, value]) => `${indent}--${kebab(name)}: ${value};`)
    .join('\n');

const scheme = (mode: ThemeMode, selector: string, indent = ''): string =>
  `${indent}${selector} {\n${indent}  color-scheme: ${mode};\n${colours(palettes[mode], `${indent}  `)}\n${indent}}`;

/**
 * The text of `tokens.css`: light by default, dark with `data-theme="dark"` on the root element; follows the device while the
 * attribute is `system` or absent, so that the first paint is already correct. Print is always light.
 */
export const cssVariables = (): string => {
  const numbers = Object.entries(sizes).map(([name, value]) => `  --size-${kebab(name)}: ${value}px;`);
  const fonts = Object.entries(faces).map(([name, value]) => `  --face-${kebab(name)}: ${value};`);
  return [
    '/* Written by theme.test.ts from tokens.ts. Change the tokens and run that test with -u. */',
    `:root {\n${[...fonts, ...numbers].join('\n')}\n}`,
    scheme('light', ':root'),
    `@media screen {\n${scheme('dark', ':root[data-theme="dark"]', '  ')}\n}`,
    `@media screen and (prefers-color-scheme: dark) {\n${scheme('dark', ':root:not([data-theme="light"])', '  ')}\n}`,
  ]
    .join('\n\n')
    .concat('\n');
};
