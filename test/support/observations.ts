import { CustomerIdentificationService } from '../../src/features/customers/index.js';
import { publicId } from '../../src/platform/kernel/index.js';
import { TaxId } from '../../src/platform/kernel/values/tax-id.js';
import type { TestClient } from './api.js';
import type { TestApp } from './app.js';

/** Sees a customer in one process as a transaction would: by the institution's id, by document, or by both. */
export async function customerSighted(
  on: TestApp,
  by: TestClient,
  externalCustomerId: string | null,
  document: string | null,
): Promise<string> {
  const parsed = document === null ? null : TaxId.parse(document);
  const [found] = await on.app.get(CustomerIdentificationService).identify([
    {
      organisationId: by.organisationId,
      clientAppId: by.id,
      externalCustomerId,
      taxId: parsed?.ok === true ? parsed.id : null,
      name: null,
      birthDate: null,
      by: 'KYT',
      requestId: null,
      correlationId: 'test',
      traceparent: null,
    },
  ]);
  return publicId('cus', found!.customerId);
}
