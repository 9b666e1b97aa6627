/**
 * Secrets that callers carry: `pk_` (a key) and `cr_` (prepaid credits), then 32 random characters of base62 (190 bits) and the
 * CRC-32 of all before it in six more, so that a typing error and a made-up key are told without asking anybody. Only the SHA-256 is
 * stored: a secret of so much chance needs no slow hash.
 */
import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

export type SecretPrefix = "pk_" | "cr_";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const bodyLength = 32;
const shape = /^(pk_|cr_)[0-9A-Za-z]{38}$/;

/** A new secret, known to nobody else. */
export function makeSecret(prefix: SecretPrefix): string {
	const start = prefix + randomText(bodyLength);
	return start + checksum(start);
}

/**
 * The secret that follows from these bytes, which nobody else can know: for one that has to be the same when it is made again. 64
 * bytes are plenty.
 */
export function secretFrom(prefix: SecretPrefix, bytes: Uint8Array): string {
	const body = lettersOf(bytes).slice(0, bodyLength);
	if (body.length < bodyLength) throw new Error("too few bytes for a secret");
	return prefix + body + checksum(prefix + body);
}

/** Whether it can be a secret of that kind: its form and its checksum, which anybody can compute. */
export function isSecret(text: string, prefix: SecretPrefix): boolean {
	return text.startsWith(prefix) && shape.test(text) && text.slice(-6) === checksum(text.slice(0, -6));
}

/** What is stored and compared: 64 hexadecimal digits. */
export const digestOf = (secret: string): string => hash("sha256", secret, "hex");

/** The text without secrets of this kind, nor a card processor's tokens: for what is shown or written of what somebody sent. */
export const maskSecrets = (text: string): string => text.replace(/\b(pk|cr|spt)_[0-9A-Za-z]{8,}/g, "$1_***");

/** By which its owner recognises a secret that nobody can show any more: its first seven characters and its last four. */
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

/** Bytes of 248 and more are thrown away: 256 is no multiple of 62, and the first letters would be likelier. */
function lettersOf(bytes: Uint8Array): string {
	let text = "";
	for (const byte of bytes) if (byte < 248) text += alphabet.charAt(byte % 62);
	return text;
}
