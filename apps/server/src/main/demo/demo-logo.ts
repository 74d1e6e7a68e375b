/** The logo of a customer: a PNG of 144 × 36 pixels. */
export const demoLogo = `data:image/png;base64,${[
  'iVBORw0KGgoAAAANSUhEUgAAAJAAAAAkCAMAAABRw0PpAAAAGFBMVEULY7UuecBRkMp0ptWWvN+50urc6fT////E7fT6AAAB',
  'yElEQVR42u1W2Y7DIAzEF/z/Hy9XwOZI2tVqk4eMVDUDtjvgCcW5Fy9ePAlEZ/RvAZgApzEYAu7pXy416gkFcI+gudQhiJ8i',
  'qLQsBP8YQRkSgixwnyAKS+BtgpKTxu1RTk9pwCKMqgo325GUQBUy0UpyaMzMNH58NEv8rVnUwkRqKCqQsmceDkFqbXE2fbEK',
  'GelBUmiv1iCTIJ5e/NhFUoIaYCdIdMhARf82zt6glYlo8jkYQXEeJG/bUhCZEE1Bk0MQXdgRpm3TTcTmJ2laRkHehLiWQWjn',
  'RFU7ez9izmh/XhBITytBccJzQQqBbbqY0ntBo4kMx97QWnEShNajqC0wp9O1oCQbFcxrp9akBdFOEO82uKdfH2mT89kI8s38',
  'tWXddZSfYkhdC8HgSdDpHwuS3TFdTc3HAQq1iqgxMRSdoiJj6IeCHFqA7WfyLHERVqrk6pTHkqBMSwg5Q/NuHulfCDr/x9Fn',
  'aq1CdpRsr2k595UgYIbxqZmAcks9VQqlHUWAP7rTQ/osOT3ny5EAqvL2agjt1IfpCglQLk6KtstUWmenYK9aYO5dNRTAVnbb',
  'k6huN19eIf8FjxN01rKbFG1N/eLFi1/gB/XKF1zm1tkoAAAAAElFTkSuQmCC',
].join('')}`;
