/** Stands where the drawing library is: a browser without a canvas draws nothing, the table beside it says all. */
export const stillChart = {
  init: () => ({
    on: () => undefined,
    setOption: () => undefined,
    resize: () => undefined,
    dispose: () => undefined,
  }),
};
