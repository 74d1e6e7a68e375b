/** An element of an XML document: its prefixed name, attributes, and text or child elements. */
export interface Element {
  name: string;
  attributes?: Readonly<Record<string, string>>;
  content: string | readonly (Element | undefined)[];
}

/** An element; undefined children are left out. */
export const element = (
  name: string,
  content: Element['content'],
  attributes: Element['attributes'] = {},
): Element => ({ name, attributes, content });

/** A document in UTF-8. */
export const toXml = (root: Element): string => `<?xml version="1.0" encoding="UTF-8"?>\n${serialise(root)}`;

export const serialise = ({ name, attributes = {}, content }: Element, indent = ''): string => {
  const begin = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const opening = `${indent}<${name}${begin.join('')}`;
  if (typeof content === 'string') return `${opening}>${escaped(content)}</${name}>\n`;
  const inner = content.filter((one) => one !== undefined).map((one) => serialise(one, `${indent}  `));
  return inner.length === 0 ? `${opening}/>\n` : `${opening}>\n${inner.join('')}${indent}</${name}>\n`;
};

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0, 2.2: control characters are not allowed at all. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' ')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
