import { SetMetadata } from '@nestjs/common';

export const COSTLY = 'vigia:costly';

/** Marks a route whose calls may take seconds of work. The number of concurrent calls per organisation is limited. */
export const Costly = (): MethodDecorator => SetMetadata(COSTLY, true);
