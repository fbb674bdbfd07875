// Types of other modules that the domain uses.
export type { ArchivedEvaluation, ArchivedTransaction, Participant } from '../../kyt/index.js';
export type { CustomerFile } from '../../customers/index.js';
export type { KnownArtifact } from '../../uploads/index.js';

export type { PersonAnswers } from '../../sessions/index.js';

import type { SessionsService } from '../../sessions/index.js';

export type SessionSource = Awaited<ReturnType<SessionsService['page']>>[number];
