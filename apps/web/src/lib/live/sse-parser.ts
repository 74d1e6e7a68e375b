export interface SseMessage {
  id: string | null;
  event: string;
  data: string;
}

export interface SseParser {
  /** Processes the next chunk of the stream, wherever it was split. */
  push: (chunk: string) => void;
}

interface SseCallbacks {
  message: (message: SseMessage) => void;
  /** The pause before a reconnection that the server asks for, in milliseconds. */
  retry: (ms: number) => void;
}

/** Prevents a single event from filling the page's memory. */
const maxBufferLength = 4_000_000;

/** Event stream parsing as in the HTML standard (9.2.6, "Interpreting an event stream"). */
export const createSseParser = (callbacks: SseCallbacks): SseParser => {
  let buffer = '';
  let data: string[] = [];
  let event = '';
  let id: string | null = null;

  const field = (name: string, value: string): void => {
    if (name === 'data') data.push(value);
    else if (name === 'event') event = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) callbacks.retry(Number(value));
  };

  const line = (text: string): void => {
    if (text === '') {
      if (data.length > 0) callbacks.message({ id, event: event || 'message', data: data.join('\n') });
      data = [];
      event = '';
      return;
    }
    const colon = text.indexOf(':');
    if (colon === 0) return;
    if (colon < 0) field(text, '');
    else field(text.slice(0, colon), text.slice(colon + 1).replace(/^ /, ''));
  };

  return {
    push: (chunk) => {
      buffer += chunk;
      if (buffer.length > maxBufferLength) throw new Error('An event of the live stream is too large.');
      // A CR at the very end may be half of a CRLF whose LF has not arrived yet.
      const complete = buffer.endsWith('\r') ? buffer.slice(0, -1) : buffer;
      const lines = complete.split(/\r\n|\n|\r/);
      const rest = lines.pop() ?? '';
      buffer = rest + buffer.slice(complete.length);
      for (const text of lines) line(text);
    },
  };
};
