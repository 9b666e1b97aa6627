/** Verifies webhooks according to Standard Webhooks 1.0, with Web Crypto, which Node.js, browsers and workers have. */

export interface WebhookOptions {
	/** Maximum difference between the sending time and now (seconds, 300 when absent): an older message may be a replay. */
	toleranceSeconds?: number;
	now?: Date;
}

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

const prefix = "whsec_";

/**
 * Returns the message if it is valid. Pass `body` exactly as received. While a secret is being replaced, pass both secrets.
 * @throws Error with the reason if the message is not valid
 */
export async function verifyWebhook<T = unknown>(
	body: string,
	headers: WebhookHeaders,
	secrets: string | readonly string[],
	{ toleranceSeconds = 300, now = new Date() }: WebhookOptions = {},
): Promise<T> {
	const id = header(headers, "webhook-id");
	const sentAt = header(headers, "webhook-timestamp");
	const signatures = header(headers, "webhook-signature");
	if (!/^\d+$/.test(sentAt)) throw new Error(`webhook-timestamp must be Unix time in seconds, not "${sentAt}"`);
	if (Math.abs(now.getTime() / 1_000 - Number(sentAt)) > toleranceSeconds)
		throw new Error(`webhook-timestamp differs by more than ${toleranceSeconds} s from now`);
	const signed = new TextEncoder().encode(`${id}.${sentAt}.${body}`);
	for (const secret of [secrets].flat())
		for (const signature of signatures.split(" "))
			if (signature.startsWith("v1,") && (await isSignedBy(secret, signed, signature.slice(3))))
				return JSON.parse(body);
	throw new Error("no signature matches the secret");
}

async function isSignedBy(secret: string, signed: Uint8Array, signature: string): Promise<boolean> {
	const bytes = fromBase64(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret);
	const signatureBytes = fromBase64(signature);
	if (bytes === undefined || signatureBytes === undefined) return false;
	const algorithm = { name: "HMAC", hash: "SHA-256" };
	const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
	// `verify` compares in constant time.
	return crypto.subtle.verify("HMAC", key, signatureBytes, signed as Uint8Array<ArrayBuffer>);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
	try {
		return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
	} catch {
		return undefined;
	}
}

function header(headers: WebhookHeaders, name: string): string {
	const value = headers instanceof Headers ? headers.get(name) : [headers[name]].flat()[0];
	if (value === undefined || value === null || value === "") throw new Error(`the header ${name} is missing`);
	return value;
}
