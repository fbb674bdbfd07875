import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ErrorDetailView } from '../../http/index.js';
import { publicId } from '../../kernel/index.js';
import type { BuilderNode, FeatureDefinition, Localised } from '../language/index.js';
import type { RuleRecord } from '../store/rules.queries.js';
import { LocalisedBody, RuleBody } from './rule.dto.js';

/** Who is named in a row, as answers name them: an operator by public id, the service by what it did. */
export const shownActor = (actor: string): string =>
  actor.startsWith('operator:') ? publicId('opr', actor.slice('operator:'.length)) : actor;

/** The definition as it is stored, with the version that it has. */
export class StoredRuleView extends RuleBody {
  @ApiProperty({ type: 'integer', example: 1 })
  version: number;
}

export class RuleView {
  @ApiProperty({ example: 'rul_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ example: 'BR-STR-08' })
  key: string;

  @ApiProperty({ type: 'integer', example: 1 })
  version: number;

  @ApiProperty({ enum: ['DRAFT', 'RELEASED'], example: 'RELEASED' })
  status: string;

  @ApiProperty({ type: 'integer', example: 1, description: 'Grows with each change of a draft.' })
  revision: number;

  @ApiProperty({
    description: 'SHA-256 of the canonical definition.',
    example: 'b5bb9d8014a0f9b1d61e21e796d78dcc...',
  })
  contentHash: string;

  @ApiProperty({ type: StoredRuleView })
  definition: unknown;

  @ApiProperty({ example: 'opr_019364d0c0de7000a000000000000001' })
  author: string;

  @ApiProperty({ type: String, format: 'date-time' })
  updatedAt: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  releasedAt: string | null;

  static of(row: RuleRecord): RuleView {
    return {
      id: publicId('rul', row.id),
      key: row.key,
      version: row.version,
      status: row.status,
      revision: row.revision,
      contentHash: row.contentHash.toString('hex'),
      definition: row.content,
      author: shownActor(row.author),
      updatedAt: row.updatedAt.toISOString(),
      releasedAt: row.releasedAt?.toISOString() ?? null,
    };
  }
}

export class CheckedRuleView {
  @ApiProperty({ example: false })
  ok: boolean;

  @ApiProperty({
    type: [ErrorDetailView],
    description: 'Everything that is wrong, with its place and a suggestion.',
    example: [
      {
        path: 'when',
        code: 'UNKNOWN_FIELD',
        message: 'There is no such field.',
        position: { start: 0, end: 14, line: 1, column: 1 },
        suggestion: 'outgoing.sum24h',
      },
    ],
  })
  details: readonly ErrorDetailView[];

  @ApiPropertyOptional({
    type: [String],
    example: ['outgoing.sum24h'],
    description: 'Features that are read.',
  })
  features?: readonly string[];

  @ApiPropertyOptional({
    type: 'integer',
    example: 3,
    description: 'Steps that an evaluation takes at most.',
  })
  cost?: number;

  @ApiPropertyOptional({ type: [String], example: [], description: 'Ids of the lists that are asked.' })
  lists?: readonly string[];

  @ApiPropertyOptional({
    example: 'amountBrl > 1000 && sameHolder',
    description: 'The condition as text.',
  })
  when?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'The same condition in the form of the condition builder.',
    example: {
      all: [
        { path: 'amountBrl', op: '>', value: 1000 },
        { path: 'sameHolder', op: 'isTrue' },
      ],
    },
  })
  condition?: BuilderNode;

  @ApiPropertyOptional({
    type: LocalisedBody,
    description: 'The same condition in plain words.',
    example: {
      'pt-BR': 'o valor em reais é maior que R$ 1.000,00 e origem e destino são do mesmo titular',
      en: 'the amount in reais is more than BRL 1,000.00 and both sides have the same holder',
    },
  })
  words?: Localised;
}

export class FeatureView {
  @ApiProperty({ example: 'outgoing.sum24h' })
  name: string;

  @ApiProperty({ enum: ['number', 'string', 'bool', 'time', 'numbers', 'strings'], example: 'number' })
  type: string;

  @ApiProperty({ example: 'VELOCITY', description: 'Where it comes from.' })
  source: string;

  @ApiProperty({ example: 'VELOCITY', description: 'The component whose evidence it is.' })
  component: string;

  @ApiProperty({ type: String, nullable: true, example: '24h' })
  window: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'BRL' })
  unit: string | null;

  @ApiProperty({ description: 'Whether there may be none although its source works.', example: false })
  nullable: boolean;

  @ApiProperty({
    description: 'Personal data: masked in explanations, not kept for back-tests.',
    example: false,
  })
  personal: boolean;

  @ApiProperty({
    description: 'Whether it may be cut off at a cap; then it is a lower bound.',
    example: true,
  })
  capped: boolean;

  @ApiProperty({ description: 'Whether the transaction itself is counted in.', example: true })
  includesCurrent: boolean;

  @ApiProperty({ example: 'Sum of outgoing amounts.' })
  description: string;

  @ApiProperty({ type: LocalisedBody })
  label: LocalisedBody;

  static of(feature: FeatureDefinition): FeatureView {
    const { name, type, source, component, window, unit, nullable, personal } = feature;
    const { capped, includesCurrent, description, label } = feature;
    return {
      ...{ name, type, source, component, window, unit, nullable, personal },
      ...{ capped, includesCurrent, description, label },
    };
  }
}

export class FeaturesView {
  @ApiProperty({ type: 'integer', example: 1 })
  schemaVersion: number;

  @ApiProperty({ type: [FeatureView] })
  features: FeatureView[];
}
