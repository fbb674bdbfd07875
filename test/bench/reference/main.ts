/**
 * The comparison: the same job as a NestJS tutorial does it, in one file. A transaction is validated and saved, one Bull
 * job each evaluates it with 25 rules of json-rules-engine over what the customer did before, and the result is saved.
 * It keeps no audit trail, encrypts nothing, screens nobody, sends no webhook, and loses the job when Redis is away.
 *
 * Settings: DATABASE_URL, REDIS_URL, PORT, ROLE (`api`, `worker` or `all`).
 */
import 'reflect-metadata';
import { BullModule, InjectQueue, Process, Processor } from '@nestjs/bull';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Injectable,
  Module,
  NotFoundException,
  Param,
  Post,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import type { Job, Queue } from 'bull';
import { Type } from 'class-transformer';
import {
  IsISO8601,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  ValidateNested,
} from 'class-validator';
import { Engine, type RuleProperties } from 'json-rules-engine';
import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  Repository,
} from 'typeorm';

class ParticipantDto {
  @IsOptional() @IsString() name?: string;
  @IsOptional() @IsString() cpfCnpj?: string;
  @IsOptional() @IsString() accountReference?: string;
  @IsOptional() @IsString() bankReference?: string;
  @IsOptional() @IsString() country?: string;
}

class TransactionDto {
  @IsString() @IsNotEmpty() transactionId: string;
  @IsOptional() @IsString() externalCustomerId?: string;
  @IsOptional() @IsString() cpfCnpj?: string;
  @IsString() type: string;
  @IsString() channel: string;
  @IsNumber() @IsPositive() amount: number;
  @IsString() currency: string;
  @IsISO8601() occurredAt: string;
  @ValidateNested() @Type(() => ParticipantDto) origin: ParticipantDto;
  @ValidateNested() @Type(() => ParticipantDto) destination: ParticipantDto;
  @IsOptional() @IsObject() metadata?: Record<string, unknown>;
}

@Entity('kyt_transactions')
@Index(['customerId', 'occurredAt'])
class Transaction {
  @PrimaryGeneratedColumn('uuid') id: string;
  @Index({ unique: true }) @Column({ name: 'transaction_id' }) transactionId: string;
  @Column({ name: 'customer_id', type: 'text', nullable: true }) customerId: string | null;
  @Column() type: string;
  @Column() channel: string;
  @Column('numeric') amount: string;
  @Column() currency: string;
  @Column({ name: 'occurred_at', type: 'timestamptz' }) occurredAt: Date;
  @CreateDateColumn({ name: 'received_at', type: 'timestamptz' }) receivedAt: Date;
  @Column('jsonb') body: TransactionDto;
  @Column() status: string;
}

@Entity('kyt_evaluations')
class Evaluation {
  @PrimaryGeneratedColumn('uuid') id: string;
  @ManyToOne(() => Transaction) @JoinColumn({ name: 'transaction_ref' }) transaction: Transaction;
  @Column({ name: 'evaluation_version' }) version: number;
  @Column() score: number;
  @Column() outcome: string;
  @Column('jsonb') hits: readonly string[];
  @CreateDateColumn({ name: 'evaluated_at', type: 'timestamptz' }) evaluatedAt: Date;
}

type Operator = 'equal' | 'greaterThan' | 'greaterThanInclusive' | 'in' | 'lessThan';
type Condition = readonly [fact: string, operator: Operator, value: unknown];
const NIGHT: Condition = ['hour', 'lessThan', 6];
const PIX: Condition = ['type', 'in', ['PIX_TRANSFER', 'PIX_PAYMENT']];
const NEW_DEVICE: Condition = ['deviceUses', 'lessThan', 1];
const NEW_PAYEE: Condition = ['payeeUses', 'lessThan', 1];
const RISKY = ['IR', 'KP', 'MM'];

const RULES: readonly (readonly [name: string, points: number, ...all: Condition[]])[] = [
  ['amount-10k', 20, ['amount', 'greaterThanInclusive', 10_000]],
  ['amount-50k', 40, ['amount', 'greaterThanInclusive', 50_000]],
  ['amount-night', 30, ['amount', 'greaterThan', 1_000], NIGHT],
  ['pix-night-limit', 40, PIX, NIGHT, ['sumNight', 'greaterThan', 1_000]],
  ['pix-new-device', 40, PIX, NEW_DEVICE, ['amount', 'greaterThan', 200]],
  ['pix-device-daily', 40, PIX, NEW_DEVICE, ['sum24h', 'greaterThan', 1_000]],
  ['new-device-new-payee', 50, NEW_DEVICE, NEW_PAYEE, ['amount', 'greaterThan', 500]],
  ['new-payee-large', 30, NEW_PAYEE, ['amount', 'greaterThan', 5_000]],
  ['count-1h', 30, ['count1h', 'greaterThan', 10]],
  ['count-24h', 20, ['count24h', 'greaterThan', 40]],
  ['count-7d', 10, ['count7d', 'greaterThan', 150]],
  ['sum-24h', 30, ['sum24h', 'greaterThan', 30_000]],
  ['sum-7d', 30, ['sum7d', 'greaterThan', 80_000]],
  ['sum-30d', 20, ['sum30d', 'greaterThan', 200_000]],
  ['split-near-10k', 40, ['near10k24h', 'greaterThan', 2]],
  ['split-near-2k', 30, ['near2k24h', 'greaterThan', 5]],
  ['many-payees', 30, ['payees24h', 'greaterThan', 12]],
  ['many-devices', 30, ['devices7d', 'greaterThan', 4]],
  ['risky-country', 60, ['country', 'in', RISKY]],
  ['foreign-country', 10, ['isForeign', 'equal', true]],
  ['cash-large', 50, ['type', 'in', ['CASH_DEPOSIT', 'CASH_WITHDRAWAL']], ['amount', 'greaterThan', 2_000]],
  ['card-declines', 40, ['type', 'equal', 'CARD_PURCHASE'], ['declines', 'greaterThan', 2]],
  ['round-large', 10, ['isRound', 'equal', true], ['amount', 'greaterThan', 3_000]],
  ['above-average', 30, ['timesAverage', 'greaterThan', 10], ['count30d', 'greaterThan', 5]],
  ['first-large', 30, ['count30d', 'lessThan', 2], ['amount', 'greaterThan', 5_000]],
];

const toRule = ([name, points, ...all]: (typeof RULES)[number]): RuleProperties => ({
  name,
  conditions: { all: all.map(([fact, operator, value]) => ({ fact, operator, value })) },
  event: { type: name, params: { points } },
});

type History = Readonly<Record<string, number>>;

@Injectable()
class TransactionsService {
  constructor(
    @InjectRepository(Transaction) private readonly transactions: Repository<Transaction>,
    @InjectQueue('evaluate') private readonly queue: Queue<{ id: string }>,
  ) {}

  async accept(body: TransactionDto): Promise<object> {
    const { transactionId, externalCustomerId, cpfCnpj, type, channel, amount, currency, occurredAt } = body;
    const transaction = await this.transactions.save(
      this.transactions.create({
        ...{ transactionId, type, channel, currency, body, status: 'QUEUED' },
        customerId: cpfCnpj ?? externalCustomerId ?? null,
        amount: String(amount),
        occurredAt: new Date(occurredAt),
      }),
    );
    await this.queue.add({ id: transaction.id }, { attempts: 5, removeOnComplete: true });
    return { data: { transactionId, status: 'QUEUED', accepted: true, duplicate: false }, error: null };
  }

  async read(transactionId: string): Promise<object> {
    const transaction = await this.transactions.findOneBy({ transactionId });
    if (!transaction) throw new NotFoundException();
    return { data: { transactionId, status: transaction.status }, error: null };
  }
}

@Controller('kyt/transactions')
class TransactionsController {
  constructor(private readonly transactions: TransactionsService) {}

  @Post('ingest')
  @HttpCode(202)
  async ingest(@Body() body: TransactionDto): Promise<object> {
    return this.transactions.accept(body);
  }

  @Get(':transactionId')
  async read(@Param('transactionId') transactionId: string): Promise<object> {
    return this.transactions.read(transactionId);
  }
}

@Controller('health/ready')
class HealthController {
  @Get()
  ready(): object {
    return { status: 'ok' };
  }
}

@Processor('evaluate')
class EvaluationProcessor {
  private readonly engine = new Engine(RULES.map(toRule));

  constructor(
    @InjectRepository(Transaction) private readonly transactions: Repository<Transaction>,
    @InjectRepository(Evaluation) private readonly evaluations: Repository<Evaluation>,
  ) {}

  @Process({ concurrency: 8 })
  async evaluate({ data: { id } }: Job<{ id: string }>): Promise<void> {
    const transaction = await this.transactions.findOneByOrFail({ id });
    const { events } = await this.engine.run(await this.factsOf(transaction));
    const score = Math.min(
      100,
      events.reduce((sum, { params }) => sum + Number(params?.['points'] ?? 0), 0),
    );
    await this.evaluations.save(
      this.evaluations.create({
        ...{ transaction, version: 1, score, hits: events.map(({ type }) => type) },
        outcome: score >= 60 ? 'REVIEW' : 'APPROVED',
      }),
    );
    await this.transactions.update(id, { status: 'COMPLETED' });
  }

  private async factsOf(transaction: Transaction): Promise<Record<string, unknown>> {
    const { body, type } = transaction;
    const amount = Number(transaction.amount);
    const history = await this.historyOf(transaction);
    const country = body.destination.country ?? null;
    return {
      ...{ ...history, type, amount, country },
      hour: transaction.occurredAt.getUTCHours(),
      isForeign: country !== null && country !== 'BR',
      isRound: amount % 100 === 0,
      declines: Number(body.metadata?.['declines'] ?? 0),
      timesAverage: history['average'] ? amount / history['average'] : 1,
    };
  }

  private async historyOf({ id, customerId, occurredAt, body }: Transaction): Promise<History> {
    const sum = (filter: string): string => `coalesce(sum(amount) FILTER (WHERE ${filter}), 0)::float8`;
    const since = (span: string): string => `occurred_at > :at::timestamptz - interval '${span}'`;
    const row = await this.transactions
      .createQueryBuilder('past')
      .select(`count(*) FILTER (WHERE ${since('1 hour')})::int`, 'count1h')
      .addSelect(`count(*) FILTER (WHERE ${since('24 hours')})::int`, 'count24h')
      .addSelect(`count(*) FILTER (WHERE ${since('7 days')})::int`, 'count7d')
      .addSelect('count(*)::int', 'count30d')
      .addSelect(sum(since('24 hours')), 'sum24h')
      .addSelect(sum(since('7 days')), 'sum7d')
      .addSelect(sum('true'), 'sum30d')
      .addSelect(sum(`${since('24 hours')} AND extract(hour FROM occurred_at) < 6`), 'sumNight')
      .addSelect('coalesce(avg(amount), 0)::float8', 'average')
      .addSelect(
        `count(*) FILTER (WHERE ${since('24 hours')} AND amount BETWEEN 9000 AND 10000)::int`,
        'near10k24h',
      )
      .addSelect(
        `count(*) FILTER (WHERE ${since('24 hours')} AND amount BETWEEN 1800 AND 2000)::int`,
        'near2k24h',
      )
      .addSelect(
        `count(DISTINCT body->'destination'->>'cpfCnpj') FILTER (WHERE ${since('24 hours')})::int`,
        'payees24h',
      )
      .addSelect(
        `count(DISTINCT body->'metadata'->>'deviceId') FILTER (WHERE ${since('7 days')})::int`,
        'devices7d',
      )
      .addSelect(`count(*) FILTER (WHERE body->'metadata'->>'deviceId' = :device)::int`, 'deviceUses')
      .addSelect(`count(*) FILTER (WHERE body->'destination'->>'cpfCnpj' = :payee)::int`, 'payeeUses')
      .where('customer_id = :customerId AND occurred_at <= :at AND id <> :id', { customerId, id })
      .andWhere(since('30 days'))
      .setParameters({
        at: occurredAt,
        device: body.metadata?.['deviceId'] ?? '',
        payee: body.destination.cpfCnpj ?? '',
      })
      .getRawOne<History>();
    return row ?? {};
  }
}

const role = process.env['ROLE'] ?? 'all';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? '',
      entities: [Transaction, Evaluation],
      synchronize: process.env['SYNCHRONIZE'] === 'true',
      poolSize: 12,
    }),
    TypeOrmModule.forFeature([Transaction, Evaluation]),
    BullModule.forRoot({ url: process.env['REDIS_URL'] ?? '' }),
    BullModule.registerQueue({ name: 'evaluate' }),
  ],
  controllers: [HealthController, ...(role === 'worker' ? [] : [TransactionsController])],
  providers: [TransactionsService, ...(role === 'api' ? [] : [EvaluationProcessor])],
})
class AppModule {}

const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: ['error'] });
// A batch of 500 is larger than what Express takes by default.
app.useBodyParser('json', { limit: '10mb' });
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
app.enableShutdownHooks();
await app.listen(Number(process.env['PORT'] ?? 3_000), '127.0.0.1');
