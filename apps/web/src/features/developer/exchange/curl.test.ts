import { describe, expect, test } from 'vitest';
import { curlOf } from './curl.ts';

const request = { method: 'POST', url: 'https://hooks.example/in', headers: {}, body: null };

describe('a request as a curl command', () => {
  test('has method, URL, headers and body, without headers that curl adds', () => {
    const headers = { 'webhook-id': 'evt_1', Host: 'hooks.example', 'content-length': '7' };
    expect(curlOf({ ...request, headers, body: '{"a":1}' })).toBe(
      [
        "curl --globoff --request 'POST' 'https://hooks.example/in' \\",
        "  --header 'webhook-id: evt_1' \\",
        `  --data-raw '{"a":1}'`,
      ].join('\n'),
    );
  });

  test('quotes the body for the shell', () => {
    const body = `it's $(reboot) \`id\``;
    expect(curlOf({ ...request, body })).toContain(`--data-raw 'it'\\''s $(reboot) \`id\`'`);
  });

  test('escapes control characters, which a terminal would interpret', () => {
    expect(curlOf({ ...request, body: `a\r'\\\u001b` })).toContain(`--data-raw $'a\\u000d\\'\\\\\\u001b'`);
  });
});
