import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { isLocalhostName } from './address-guard.js';

/** Resolves host names. An injection token, so that a test can change the answers. */
export abstract class HostResolver {
  /** Returns all addresses of the host, IPv4 first; an empty list if it has none. */
  abstract resolve(host: string): Promise<string[]>;
}

/**
 * Queries DNS directly. `dns.lookup` uses the four threads that also serve file access and password hashing: four names
 * whose name servers hang would block the whole process.
 */
@Injectable()
export class DnsResolver extends HostResolver {
  async resolve(host: string): Promise<string[]> {
    // RFC 6761: these names are not looked up in DNS. The guard decides whether loopback is allowed.
    if (isLocalhostName(host)) return ['127.0.0.1', '::1'];
    // A resolver reads the system's name servers when it is created; a new resolver sees later changes.
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }
}
