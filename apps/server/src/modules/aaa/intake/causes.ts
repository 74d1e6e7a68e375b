/** Terminate causes that we give to sessions whose end nobody told us; a gateway's own names are RFC 2866's. */
export const silence = 'Silence';
export const superseded = 'Superseded';
