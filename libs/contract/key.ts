/**
 * Callers' secrets: `pk_` (a key), `cr_` (prepaid credits) or `ml_` (a mailed link), followed by 32 random base62 characters (190 bits) and
 * their CRC-32 in six characters, so that a mistyped or invented secret is recognized without a lookup. Only the SHA-256 is stored: a secret
 * with this much entropy needs no slow hash.
 */
import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

export type SecretPrefix = "pk_" | "cr_" | "ml_";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const bodyLength = 32;
const shape = /^(pk_|cr_|ml_)[0-9A-Za-z]{38}$/;

export function makeSecret(prefix: SecretPrefix): string {
	const start = prefix + randomText(bodyLength);
	return start + checksum(start);
}

/** Derives a secret from bytes. The same bytes give the same secret; 64 bytes are enough. */
export function secretFrom(prefix: SecretPrefix, bytes: Uint8Array): string {
	const body = lettersOf(bytes).slice(0, bodyLength);
	if (body.length < bodyLength)
		throw new Error(
			`too few bytes for a secret: ${bytes.length} bytes give only ${body.length} of ${bodyLength} characters`,
		);
	return prefix + body + checksum(prefix + body);
}

/** Whether a text has the format and checksum of a secret. It may never have been issued. */
export function isSecret(text: string, prefix: SecretPrefix): boolean {
	return text.startsWith(prefix) && shape.test(text) && text.slice(-6) === checksum(text.slice(0, -6));
}

/** SHA-256 of a secret (64 hexadecimal digits), which is stored instead of the secret. */
export const digestOf = (secret: string): string => hash("sha256", secret, "hex");

/** Masks secrets and the card processor's tokens in a text from a client before it is shown or logged. */
export const maskSecrets = (text: string): string => text.replace(/\b(pk|cr|spt)_[0-9A-Za-z]{8,}/g, "$1_***");

/** The first seven and last four characters of a secret, by which its owner recognizes it. */
export const hintOf = (secret: string): string => `${secret.slice(0, 7)}…${secret.slice(-4)}`;

function checksum(text: string): string {
	let rest = crc32(text);
	let written = "";
	for (let place = 0; place < 6; place++) {
		written = alphabet.charAt(rest % 62) + written;
		rest = Math.floor(rest / 62);
	}
	return written;
}

function randomText(length: number): string {
	let text = "";
	while (text.length < length) text += lettersOf(randomBytes(length));
	return text.slice(0, length);
}

/** Converts bytes to letters. Bytes of 248 and above are discarded: 256 is not a multiple of 62, so some letters would be more likely. */
function lettersOf(bytes: Uint8Array): string {
	let text = "";
	for (const byte of bytes) if (byte < 248) text += alphabet.charAt(byte % 62);
	return text;
}
