// Verifies webhooks of Vigia. .NET 6 or newer (and Mono 6), no dependencies.
using System;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

public static class VerifyWebhook
{
    /// <summary>True when webhook-id, webhook-timestamp and webhook-signature fit the raw bytes of the body.</summary>
    public static bool Verify(
        string secret, string id, string timestamp, string signature, byte[] body,
        long toleranceSeconds, long nowSeconds)
    {
        if (timestamp.Length == 0 || timestamp.Length > 12 || timestamp.Any(c => c < '0' || c > '9')) return false;
        if (Math.Abs(nowSeconds - long.Parse(timestamp)) > toleranceSeconds) return false;
        if (!Regex.IsMatch(secret, "^whsec_[A-Za-z0-9+/]+=*\\z"))
            throw new ArgumentException("the signing secret is not as it was shown: whsec_ and base64");
        byte[] key = Convert.FromBase64String(secret.Substring("whsec_".Length));
        byte[] prefix = Encoding.UTF8.GetBytes(id + "." + timestamp + ".");
        string expected = "v1," + Convert.ToBase64String(Hmac(key, prefix.Concat(body).ToArray()));
        return signature.Split(' ').Count(one => FixedTimeEquals(expected, one)) > 0;
    }

    /// <summary>True when X-Vigia-Signature fits the raw bytes of the body. Does not cover the time.</summary>
    public static bool VerifySignatureHeader(string secret, string header, byte[] body)
    {
        byte[] mac = Hmac(Encoding.UTF8.GetBytes(secret), body);
        string expected = "sha256=" + BitConverter.ToString(mac).Replace("-", "").ToLowerInvariant();
        return header.Split(',').Count(one => FixedTimeEquals(expected, one.Trim())) > 0;
    }

    private static byte[] Hmac(byte[] key, byte[] message)
    {
        using (var mac = new HMACSHA256(key)) return mac.ComputeHash(message);
    }

    // CryptographicOperations.FixedTimeEquals does the same where it exists.
    private static bool FixedTimeEquals(string a, string b)
    {
        byte[] left = Encoding.UTF8.GetBytes(a), right = Encoding.UTF8.GetBytes(b);
        if (left.Length != right.Length) return false;
        int difference = 0;
        for (int i = 0; i < left.Length; i++) difference |= left[i] ^ right[i];
        return difference == 0;
    }

    /// <summary>Checks the shared test vectors (test-vectors.json); not needed in your code.</summary>
    public static void Main()
    {
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            string[] field = line.Split('\t');
            byte[] body = Convert.FromBase64String(field[7]);
            bool standard = Verify(field[1], field[2], field[3], field[4], body, 300, long.Parse(field[6]));
            bool plain = VerifySignatureHeader(field[1], field[5], body);
            Console.WriteLine(field[0] + "\t" + standard.ToString().ToLower() + "\t" + plain.ToString().ToLower());
        }
    }
}
