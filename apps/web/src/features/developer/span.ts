/** A period of the URL in the server's format: its last instant inclusive. */
export const spanOf = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to: new Date(Date.parse(to) + 1).toISOString() }),
});
