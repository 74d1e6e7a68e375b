import { render, screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useToasts } from '../../lib/toast/index.ts';
import { useCopy } from './use-copy.ts';

const copied = vi.fn();

const Page = () => {
  const copy = useCopy();
  return (
    <>
      <button onClick={() => copy('key', copied)} type="button">
        {'Copy'}
      </button>
      {useToasts().map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </>
  );
};

test('without a clipboard, as without TLS, the person is asked to copy manually', async () => {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'clipboard'));
  render(<Page />);
  screen.getByRole('button', { name: 'Copy' }).click();
  expect(await screen.findByText(/select the text and copy it yourself/)).toBeInTheDocument();
  expect(copied).not.toHaveBeenCalled();
});
