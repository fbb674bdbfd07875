import type { TestApp } from './app.js';

/** Says who communicates to COAF, as an administrator of the organisation does once. */
export async function aReportingInstitution(t: TestApp, organisationId: string): Promise<void> {
  const admin = await t.operator({ roles: ['ADMIN'], organisationId });
  const institution = {
    ...{ taxId: '11.222.333/0001-81', name: 'Instituição Exemplo' },
    ...{ city: 'São Paulo', state: 'SP' },
  };
  await t.api.asOperator(admin).call('put', '/operator/coaf/institution').send(institution).expect(200);
}
