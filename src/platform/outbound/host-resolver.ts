import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { isLocalhostName } from './address-guard.js';

/** Turns a host name into addresses; a token of its own, so that a test can answer differently each time. */
export abstract class HostResolver {
  /** All addresses of the host, IPv4 first; none when it has none. */
  abstract resolve(host: string): Promise<string[]>;
}

/**
 * Asks DNS directly. `dns.lookup` would share its four threads with file access and password hashing: four names
 * whose servers hang would stop the whole process.
 */
@Injectable()
export class DnsResolver extends HostResolver {
  async resolve(host: string): Promise<string[]> {
    // RFC 6761: never asked of DNS. Whether loopback is allowed at all is the guard's decision.
    if (isLocalhostName(host)) return ['127.0.0.1', '::1'];
    // A resolver keeps the name servers that it began with; a new one knows the present ones.
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }
}
