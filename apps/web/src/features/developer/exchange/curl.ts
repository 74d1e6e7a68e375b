interface Request {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

/** curl finds out these two by itself, and a wrong one would spoil the request. */
const ownHeaders = new Set(['content-length', 'host']);

/**
 * The request as a command for a POSIX shell (bash, zsh): what others wrote into it stays text, whatever it contains, and
 * brackets in its address are none of curl's patterns.
 */
export const curlOf = ({ method, url, headers, body }: Request): string =>
  [
    `curl --globoff --request ${quoted(method)} ${quoted(url)}`,
    ...Object.entries(headers)
      .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
      .map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');

/** Control characters would be keys that are pressed when the command is pasted. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u001f\u007f-\u009f]/g;

const quoted = (text: string): string => {
  if (text.search(control) < 0) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll(control, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `$'${escaped}'`;
};
