interface Request {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

/** curl sets these two itself, and a wrong one would break the request. */
const ownHeaders = new Set(['content-length', 'host']);

/**
 * The request as a command for a POSIX shell (bash, zsh). Text from outside stays text, whatever it contains, and brackets in the
 * URL are not treated as curl patterns.
 */
export const curlOf = ({ method, url, headers, body }: Request): string =>
  [
    `curl --globoff --request ${quoted(method)} ${quoted(url)}`,
    ...Object.entries(headers)
      .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
      .map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');

/** Control characters would act as key presses when the command is pasted. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match them
const control = /[\u0000-\u001f\u007f-\u009f]/g;

const quoted = (text: string): string => {
  if (text.search(control) < 0) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll(control, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `$'${escaped}'`;
};
