// Verifies webhooks of Vigia. Go 1.18 or newer, standard library only.
package main

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// VerifyWebhook tells whether the headers webhook-id, webhook-timestamp and webhook-signature fit the raw body.
func VerifyWebhook(secret, id, timestamp, signature string, body []byte, tolerance time.Duration, now time.Time) (bool, error) {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return false, nil
	}
	age := now.Sub(time.Unix(seconds, 0))
	if age > tolerance || age < -tolerance {
		return false, nil
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || !strings.HasPrefix(secret, "whsec_") {
		return false, errors.New("the signing secret is not as it was shown: whsec_ and base64")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, one := range strings.Split(signature, " ") {
		if hmac.Equal(expected, []byte(one)) {
			return true, nil
		}
	}
	return false, nil
}

// VerifySignatureHeader tells whether X-Vigia-Signature fits the raw body. It does not cover the time.
func VerifySignatureHeader(secret, header string, body []byte) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	expected := []byte("sha256=" + hex.EncodeToString(mac.Sum(nil)))
	for _, one := range strings.Split(header, ",") {
		if hmac.Equal(expected, []byte(strings.TrimSpace(one))) {
			return true
		}
	}
	return false
}

// Checks the shared test vectors (test-vectors.json); not needed in your code.
func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<20)
	for lines.Scan() {
		field := strings.Split(lines.Text(), "\t")
		seconds, _ := strconv.ParseInt(field[6], 10, 64)
		body, _ := base64.StdEncoding.DecodeString(field[7])
		standard, err := VerifyWebhook(field[1], field[2], field[3], field[4], body, 5*time.Minute, time.Unix(seconds, 0))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%s\t%t\t%t\n", field[0], standard, VerifySignatureHeader(field[1], field[5], body))
	}
}
