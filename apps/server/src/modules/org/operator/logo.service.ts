import { limits } from '@simcube/contract';
import { decodePicture } from '../../../platform/pdf/index.ts';
import { OrganisationRefused } from './org.service.ts';

/**
 * A picture as a data URL: PNG, which consoles and bills can show, and which contains nothing else.
 * @throws OrganisationRefused
 */
export const logoOf = (content: Buffer): string => {
  if (content.length > limits.organisationLogo)
    throw new OrganisationRefused(
      `The logo has ${content.length} bytes; at most ${limits.organisationLogo} are allowed`,
    );
  const url = `data:image/png;base64,${content.toString('base64')}`;
  if (!decodePicture(url))
    throw new OrganisationRefused('The logo must be a whole PNG file with 8 bits per sample, not interlaced');
  return url;
};
