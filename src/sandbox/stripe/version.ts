import { invalidRequest } from './errors.js';
import { defaultVersion } from './resources.js';

/** Search came with this version. */
const firstWithSearch = '2020-08-27';

/** The version that a request asks for; its date comes first, so versions compare like text. */
export function readVersion(header: string | string[] | undefined, isSearch: boolean): string {
  const version = String(header ?? defaultVersion);
  if (!/^\d{4}-\d{2}-\d{2}(\.\w+)?$/.test(version)) throw invalidRequest(`Invalid Stripe API version: ${version}`);
  if (isSearch && version < firstWithSearch) {
    throw invalidRequest(
      `Search is not supported on api version ${version}. Update your API version, or set the API Version of this ` +
        `request to ${firstWithSearch} or greater.`,
    );
  }
  return version;
}
