import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { Exchange } from './exchange.tsx';

test('names and values in a body show characters that would reorder the line', async () => {
  const body = JSON.stringify({ 'na\u202eme': 'val\u202eue' });
  renderScreen(<Exchange body={body} headers={null} noBodyText="" title="Response" />);
  expect((await screen.findByRole('region', { name: 'Response' })).querySelector('pre')).toHaveTextContent(
    '{ "naU+202Eme": "valU+202Eue" }',
  );
});
