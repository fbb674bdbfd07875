import { SetMetadata } from '@nestjs/common';

export const COSTLY = 'vigia:costly';

/** Marks a route that may work for seconds on a call: an organisation may have few of them under way at a time. */
export const Costly = (): MethodDecorator => SetMetadata(COSTLY, true);
