/** The product's mark; decorative, as the name is shown next to it. */
export const ProductMark = ({ size }: { size: number }) => (
  <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
    <path fill="var(--accent)" fillOpacity=".62" d="M16 2.5 28 9.2 16 15.9 4 9.2z" />
    <path fill="var(--accent)" d="M4 10.9 15.2 17.2v12.3L4 23.2z" />
    <path fill="var(--accent)" fillOpacity=".82" d="M28 10.9 16.8 17.2v12.3L28 23.2z" />
  </svg>
);
