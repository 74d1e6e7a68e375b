/** A string, an empty bracket pair, a bracket, a comma, a colon, or blanks between them. */
const tokens = /("(?:[^"\\]|\\.)*")|([[{])\s*([\]}])|([[{])|([\]}])|(,)|(:)|\s+/g;

/**
 * Indents JSON by two blanks per level; anything else, and truncated JSON, is returned unchanged. The values keep their text:
 * parsing and serialising would change long numbers.
 */
export const indentJson = (text: string): string => {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  return text.replaceAll(tokens, (_, string, empty, ofEmpty, open, close, comma, colon) => {
    if (string) return string as string;
    if (empty) return `${empty as string}${ofEmpty as string}`;
    if (comma) return `,${line()}`;
    if (colon) return ': ';
    if (!open && !close) return '';
    depth += open ? 1 : -1;
    return open ? `${open as string}${line()}` : `${line()}${close as string}`;
  });
};
