const invalid = '[aria-invalid="true"], [role="alert"]';

/**
 * After saving was refused because of invalid input: focuses the first invalid field and scrolls it into view; it may be far from
 * the button.
 */
export const focusFirstInvalid = (): void => {
  // After it has been rendered.
  setTimeout(() => {
    const first = (document.querySelector('main') ?? document).querySelector<HTMLElement>(invalid);
    first?.scrollIntoView({ block: 'center' });
    if (first?.matches('[aria-invalid]')) first.focus({ preventScroll: true });
  });
};
