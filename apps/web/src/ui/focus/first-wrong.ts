const wrong = '[aria-invalid="true"], [role="alert"]';

/**
 * After saving was refused for what is written: the first field that is wrong is focused, and what is wrong comes into sight; it
 * may be far below the button, on a phone out of sight.
 */
export const showFirstWrong = (): void => {
  // Once it is drawn.
  setTimeout(() => {
    const first = (document.querySelector('main') ?? document).querySelector<HTMLElement>(wrong);
    first?.scrollIntoView({ block: 'center' });
    if (first?.matches('[aria-invalid]')) first.focus({ preventScroll: true });
  });
};
