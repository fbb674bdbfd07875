// Verifies webhooks of Vigia. Java 17 or newer, no dependencies.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class VerifyWebhook {
    private VerifyWebhook() {}

    /** True when the headers webhook-id, webhook-timestamp and webhook-signature fit the raw bytes of the body. */
    public static boolean verify(
            String secret, String id, String timestamp, String signature, byte[] body,
            long toleranceSeconds, long nowSeconds) throws GeneralSecurityException {
        if (!timestamp.matches("[0-9]{1,12}")) return false;
        if (Math.abs(nowSeconds - Long.parseLong(timestamp)) > toleranceSeconds) return false;
        if (!secret.matches("whsec_[A-Za-z0-9+/]+=*")) {
            throw new IllegalArgumentException("the signing secret is not as it was shown: whsec_ and base64");
        }
        byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        byte[] prefix = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
        String expected = "v1," + Base64.getEncoder().encodeToString(hmac(key, prefix, body));
        boolean matches = false;
        for (String one : signature.split(" ")) matches |= equal(expected, one);
        return matches;
    }

    /** True when X-Vigia-Signature fits the raw bytes of the body. Does not cover the time. */
    public static boolean verifySignatureHeader(String secret, String header, byte[] body)
            throws GeneralSecurityException {
        byte[] key = secret.getBytes(StandardCharsets.UTF_8);
        String expected = "sha256=" + HexFormat.of().formatHex(hmac(key, body));
        boolean matches = false;
        for (String one : header.split(",")) matches |= equal(expected, one.trim());
        return matches;
    }

    private static byte[] hmac(byte[] key, byte[]... parts) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        for (byte[] part : parts) mac.update(part);
        return mac.doFinal();
    }

    private static boolean equal(String a, String b) {
        return MessageDigest.isEqual(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    /** Checks the shared test vectors (test-vectors.json); not needed in your code. */
    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null; ) {
            String[] field = line.split("\t", -1);
            byte[] body = Base64.getDecoder().decode(field[7]);
            boolean standard = verify(
                    field[1], field[2], field[3], field[4], body, 300, Long.parseLong(field[6]));
            boolean plain = verifySignatureHeader(field[1], field[5], body);
            System.out.println(field[0] + "\t" + standard + "\t" + plain);
        }
    }
}
