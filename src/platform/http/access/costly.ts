import { SetMetadata } from '@nestjs/common';

export const COSTLY = 'vigia:costly';

/** The route works for seconds on one call: an organisation has a few of them under way at a time. */
export const Costly = (): MethodDecorator => SetMetadata(COSTLY, true);
