import ms from 'ms';
import { z } from 'zod';

const expected = 'must be a duration such as "500ms", "30s", "5m" or "20h"';

/** A time as an operator writes it: `"500ms"`, `"30s"`, `"5m"`, `"20h"`, `"1d"`, or a number of ms. Parsed to ms. */
export const durationSchema = z
  .union([z.string().regex(/^\d{1,12}(\.\d{1,6})?(ms|s|m|h|d)$/, expected), z.number()], expected)
  .transform((value) => (typeof value === 'number' ? value : ms(value as ms.StringValue)))
  .pipe(z.int().min(1, 'must be at least 1 ms'));
