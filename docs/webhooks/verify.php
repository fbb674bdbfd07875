<?php
// Verifies webhooks of Vigia. PHP 8.0 or newer, no dependencies.

/** True when the headers webhook-id, webhook-timestamp and webhook-signature fit the raw body (php://input). */
function verify_webhook(
    #[\SensitiveParameter] string $secret, string $id, string $timestamp, string $signature, string $body,
    int $tolerance = 300, ?int $now = null
): bool {
    if (!preg_match('/^\d{1,12}$/D', $timestamp)) return false;
    if (abs(($now ?? time()) - (int) $timestamp) > $tolerance) return false;
    if (!preg_match('#^whsec_[A-Za-z0-9+/]+=*$#D', $secret)) {
        throw new InvalidArgumentException('the signing secret is not as it was shown: whsec_ and base64');
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signature) as $one) {
        if (hash_equals($expected, $one)) return true;
    }
    return false;
}

/** True when X-Vigia-Signature fits the raw body. Does not cover the time. */
function verify_signature_header(string $secret, string $header, string $body): bool
{
    $expected = 'sha256=' . hash_hmac('sha256', $body, $secret);
    foreach (explode(',', $header) as $one) {
        if (hash_equals($expected, trim($one))) return true;
    }
    return false;
}

// Checks the shared test vectors (test-vectors.json); not needed in your code.
if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    while (($line = fgets(STDIN)) !== false) {
        [$name, $secret, $id, $timestamp, $signature, $header, $now, $body64] = explode("\t", rtrim($line, "\n"));
        $body = base64_decode($body64);
        $standard = verify_webhook($secret, $id, $timestamp, $signature, $body, 300, (int) $now);
        $plain = verify_signature_header($secret, $header, $body);
        echo implode("\t", [$name, $standard ? 'true' : 'false', $plain ? 'true' : 'false']), "\n";
    }
}
